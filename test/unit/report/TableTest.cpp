// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/document/Table.h"

#include <gtest/gtest.h>

using namespace autoprof::report;

namespace {

std::string aligned(const Table &T, unsigned Width) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  printAligned(Out, T, Width, /*Color=*/false);
  return Text;
}

} // namespace

TEST(Table, AlignsTextLeftAndNumbersRight) {
  Table T({{"site", true}, {"n"}});
  T.addRow({"a.cu:1", "7"});
  T.addRow({"b", "1,000"});
  EXPECT_EQ(aligned(T, 80), "  site        n\n"
                            "  a.cu:1      7\n"
                            "  b       1,000\n");
}

TEST(Table, CutsTheFirstColumnAndWrapsNotes) {
  Table T({{"site", true}, {"n"}});
  T.addRow({"a/very/long/path/to/some/file.cu:123 cudaMemcpy", "7"});
  T.addNote("a note of several words that is longer than the table");
  std::string Text = aligned(T, 40);
  EXPECT_EQ(Text, "  site                                 n\n"
                  "  ...h/to/some/file.cu:123 cudaMemcpy  7\n"
                  "      a note of several words that is\n"
                  "      longer than the table\n");
}

TEST(Table, CutsTheEndWhereAskedTo) {
  Table T({{"kernel", true, /*CutEnd=*/true}, {"n"}});
  T.addRow({"sm80_xmma_gemm_f32f32_tilesize64x64x8", "7"});
  EXPECT_EQ(aligned(T, 30), "  kernel                     n\n"
                            "  sm80_xmma_gemm_f32f32_...  7\n");
}

TEST(Table, ComesCloserThenCutsOtherText) {
  Table T({{"site", true}, {"calls"}, {"of function", true}, {"n"}});
  T.addRow({std::string(60, 'a'), "1,000", std::string(60, 'b'), "7"});
  EXPECT_EQ(aligned(T, 40), "  site       calls of function         n\n"
                            "  ...aaaaaaa 1,000 ...bbbbbbbbbbbbbbbb 7\n");
}

TEST(Table, NamesCannotSteerTheTerminal) {
  Table T({{"site", true}, {"n"}});
  T.addRow({"a\x1b[2J\tb\x7f\xff", "7"});
  EXPECT_EQ(aligned(T, 80), "  site         n\n"
                            "  a?[2J b?\xEF\xBF\xBD  7\n");
}

TEST(Table, BreaksWordsThatAreTooLong) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  printWrapped(Out, "see " + std::string(25, 'x') + " there", 2, 14);
  EXPECT_EQ(Text, "  see\n  xxxxxxxxxxxx\n  xxxxxxxxxxxx\n  x there\n");
}

TEST(Table, LeavesOutWhatCutNamesHaveInCommon) {
  Table T({{"kernel", true, /*CutEnd=*/true}, {"n"}});
  T.addRow({"at::native::elementwise_kernel<4, AddFunctor>", "1"});
  T.addRow({"at::native::elementwise_kernel<4, MulFunctor>", "2"});
  T.addRow({"at::native::reduce_kernel<128, 4, ReduceOp<float>>", "3"});
  EXPECT_EQ(aligned(T, 34), "  kernel                         n\n"
                            "  ...AddFunctor>                 1\n"
                            "  ...MulFunctor>                 2\n"
                            "  at::native::reduce_kernel<...  3\n");
}
