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

TEST(Table, ShortensTheFirstColumnAndWrapsNotes) {
  Table T({{"site", true}, {"n"}});
  T.addRow({"a_long_name_of_a_kernel_with_many_words", "7"});
  T.addNote("a note of several words that is longer than the table");
  std::string Text = aligned(T, 40);
  EXPECT_EQ(Text, "  site                                 n\n"
                  "  a_long_name_of_a_kerne...many_words  7\n"
                  "      a note of several words that is\n"
                  "      longer than the table\n");
}

TEST(Table, KeepsThePlaceAndTheCall) {
  Table T({{"site", true}, {"n"}});
  T.addRow({"train.py:123 float(loss.mean()) > cudaMemcpyAsync", "7"});
  T.addRow({"train.py:124 cudaFree", "8"});
  EXPECT_EQ(aligned(T, 48),
            "  site                                         n\n"
            "  train.py:123 float(loss.... cudaMemcpyAsync  7\n"
            "  train.py:124 cudaFree                        8\n");
  // At any width: where a place would be lost, on a line of its own.
  for (unsigned Width : {20u, 30u, 35u, 40u, 60u}) {
    const std::string Text = aligned(T, Width);
    EXPECT_NE(Text.find("train.py:123"), std::string::npos) << Width;
    EXPECT_NE(Text.find("cudaMemcpyAsync"), std::string::npos) << Width;
  }
}

TEST(Table, LabelsThatLoseTooMuchAreOnALineOfTheirOwn) {
  Table T({{"site", true}, {"n"}});
  T.addRow(
      {"trainer.py:2175 _maybe_log (train.py:18) cudaStreamSynchronize", "7"});
  T.addRow({"a.py:1 cudaFree", "8"});
  EXPECT_EQ(
      aligned(T, 70),
      "  site                                                            n\n"
      "  trainer.py:2175 _maybe_log (train.py:18) cudaStreamSynchronize  7\n"
      "  a.py:1 cudaFree                                                 8\n");
  EXPECT_EQ(
      aligned(T, 64),
      "  site                                                         n\n"
      "  trainer.py:2175 _maybe_log (train.py:18) cudaStreamSynchronize\n"
      "                                                               7\n"
      "  a.py:1 cudaFree                                              8\n");
}

TEST(Table, RowsNeverReadTheSame) {
  Table T({{"kernel", true}, {"n"}});
  const std::string Begin(60, 'a'), End(60, 'z');
  T.addRow({Begin + "1" + End, "8"});
  T.addRow({Begin + "2" + End, "9"});
  const std::string First = "  " + Begin.substr(0, 38) + "\n  ",
                    Last = End.substr(0, 15) + "\n  " + End.substr(0, 38) +
                           "\n  " + End.substr(0, 7) + "\n" +
                           std::string(39, ' ');
  EXPECT_EQ(aligned(T, 40), "  kernel                               n\n" +
                                First + Begin.substr(38) + "1" + Last + "8\n" +
                                First + Begin.substr(38) + "2" + Last + "9\n");
}

TEST(Table, CutsTheEndOfProse) {
  Table T({{"n"}, {"why", true, /*CutEnd=*/true}});
  T.addRow({"7", "documented as a wait for the whole device"});
  EXPECT_EQ(aligned(T, 30), "  n why\n"
                            "  7 documented as a wait fo...\n");
}

TEST(Table, ComesCloserThenCutsOtherText) {
  Table T({{"site", true}, {"calls"}, {"of function", true}, {"n"}});
  T.addRow({std::string(60, 'a'), "1,000", std::string(60, 'b'), "7"});
  EXPECT_EQ(aligned(T, 40), "  site       calls of function         n\n"
                            "  aaaaaaaaaaaaaaaaaaaaaaaa...aaaaaaaaaaa\n"
                            "             1,000 bbbbbbbbbbb...bbbbb 7\n");
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
  Table T({{"kernel", true}, {"n"}});
  T.addRow({"at::native::elementwise_kernel<4, AddFunctor>", "1"});
  T.addRow({"at::native::elementwise_kernel<4, MulFunctor>", "2"});
  T.addRow({"at::native::reduce_kernel<128, 4, ReduceOp<float>>", "3"});
  EXPECT_EQ(aligned(T, 34), "  kernel                         n\n"
                            "  ...AddFunctor>                 1\n"
                            "  ...MulFunctor>                 2\n"
                            "  at::native::reduce...<float>>  3\n");
}

TEST(Table, ControlCharactersOfNamesDoNothing) {
  const std::string Name = "a\x1b]0;title\a\xC2\x9B"
                           "2J\x7F\xC3\xA9";
  EXPECT_EQ(terminalText(Name), "a?]0;title??2J?\xC3\xA9");
  EXPECT_EQ(escapeMarkdown(Name), "a?\\]0;title??2J?\xC3\xA9");
}
