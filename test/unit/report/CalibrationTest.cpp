// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/catalogue/Calibration.h"
#include "report/catalogue/Formats.h"

#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

using namespace autoprof;
using namespace autoprof::catalogue;
using namespace autoprof::report;

namespace {

Semantics example() {
  Semantics S;
  S.Gpu = "NVIDIA L4";
  S.QueuedNs = 20'000'000;
  for (const char *What :
       {"", "short", "from registered into managed memory, 64 KiB + 1"}) {
    Observation O;
    O.Call = "cudaMemcpyFromSymbolAsync";
    O.Arguments = What;
    O.IdleNs = 123'456;
    O.BehindNs = {20'123'456, 123'456, 99'949, 7};
    S.Observations.push_back(O);
  }
  return S;
}

std::string printed(const Semantics &S, unsigned Width) {
  TextStyle Style;
  Style.Width = Width;
  std::string Result;
  llvm::raw_string_ostream Out(Result);
  writeCalibrationTerminal(Out, S, Style);
  return Result;
}

TEST(Calibration, FitsIntoEightyColumns) {
  std::string Text = printed(example(), 80);
  for (llvm::StringRef Line : llvm::split(Text, '\n'))
    EXPECT_LE(Line.size(), 80u) << Line.str();
  // What is too long has a line of its own, the times below it.
  EXPECT_NE(Text.find("    from registered into managed memory, 64 KiB + 1\n"
                      "                                123 us 20.1 ms  123 us "
                      "99.9 us    7 ns  stream *\n"),
            std::string::npos)
      << Text;
}

TEST(Calibration, SaysThatNothingDiffers) {
  Semantics S = example();
  S.Observations.clear();
  std::string Text = printed(S, 80);
  EXPECT_NE(Text.find("Differences from the built-in table\nNone.\n"),
            std::string::npos);
  EXPECT_EQ(Text.find("Not measured"), std::string::npos);
  EXPECT_EQ(Text.find("Skipped libraries"), std::string::npos);
}

} // namespace
