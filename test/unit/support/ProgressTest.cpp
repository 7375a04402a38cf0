// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Progress.h"

#include "gtest/gtest.h"

using namespace autoprof::support;
using namespace std::chrono_literals;

namespace {

TEST(ProgressLog, HasALineFromTimeToTime) {
  const ProgressLog::Clock::time_point Start;
  ProgressLog Log(800, Start, 30s);
  EXPECT_EQ(Log.lineAt(Start, 0), "");
  EXPECT_EQ(Log.lineAt(Start + 29s, 100), "");
  EXPECT_EQ(Log.lineAt(Start + 30s, 120),
            "120 of 800 sources done, about 3 min left");
  EXPECT_EQ(Log.lineAt(Start + 31s, 121), "");
  EXPECT_EQ(Log.lineAt(Start + 59s, 400), "");
  EXPECT_EQ(Log.lineAt(Start + 60s, 480),
            "480 of 800 sources done, about 50 s left");
  EXPECT_EQ(Log.lineAt(Start + 100s, 799),
            "799 of 800 sources done, about 10 s left");
  EXPECT_EQ(Log.lineAt(Start + 200s, 800), "");
}

TEST(ProgressLog, EstimatesNothingBeforeTheFirstSource) {
  const ProgressLog::Clock::time_point Start;
  ProgressLog Log(2, Start, 30s);
  EXPECT_EQ(Log.lineAt(Start + 45s, 0), "0 of 2 sources done");
}

} // namespace
