// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Format.h"

#include <gtest/gtest.h>

using namespace autoprof;

TEST(Format, DurationsHaveThreeDigitsAndAUnit) {
  EXPECT_EQ(duration(0), "0");
  EXPECT_EQ(duration(7), "7 ns");
  EXPECT_EQ(duration(999), "999 ns");
  EXPECT_EQ(duration(1'000), "1.00 us");
  EXPECT_EQ(duration(9'994), "9.99 us");
  EXPECT_EQ(duration(9'996), "10.0 us");
  EXPECT_EQ(duration(99'960), "100 us");
  EXPECT_EQ(duration(999'400), "999 us");
  EXPECT_EQ(duration(999'600), "1.00 ms");
  EXPECT_EQ(duration(4'820'000), "4.82 ms");
  EXPECT_EQ(duration(61'000'000'000), "61.0 s");
  EXPECT_EQ(duration(-4'820'000), "-4.82 ms");
  EXPECT_EQ(duration(std::nullopt), "-");
}

TEST(Format, PairsOfDurationsShareTheirUnit) {
  EXPECT_EQ(durations(900'000, 1'200'000), "0.90 to 1.20 ms");
  EXPECT_EQ(durations(0, 1'200'000), "0 to 1.20 ms");
  EXPECT_EQ(durations(1'200'001, 1'200'002), "1.20 ms");
  EXPECT_EQ(durations(0, 0), "0");
  EXPECT_EQ(durationChange(5'100'000, 4'820'000), "5.10 -> 4.82 ms");
  EXPECT_EQ(durationChange(400'000, 31'000'000), "400 us -> 31.0 ms");
  EXPECT_EQ(durationChange(0, 31'000'000), "0 -> 31.0 ms");
}

TEST(Format, ChangesFollowFromDurations) {
  EXPECT_EQ(comparedDurations(120'000, 100'000, 100'000), "120 -> 100 us");
  EXPECT_EQ(comparedDurations(182'300, 171'000, 171'000), "182.3 -> 171.0 us");
  EXPECT_EQ(comparedDurations(182'300, 172'000, 180'800),
            "182.3 -> 172.0 to 180.8 us");
  EXPECT_EQ(comparedDurations(400'000, 31'000'000, 31'000'000),
            "400 us -> 31.0 ms");
  EXPECT_EQ(comparedDurations(0, 31'000'000, 31'000'000), "0 -> 31.0 ms");
  EXPECT_EQ(comparedDurations(400'000, 0, 0), "400 us -> 0");
}

TEST(Format, SharesNeverReadAsNothing) {
  EXPECT_EQ(percent(0, 10), "0 %");
  EXPECT_EQ(percents(36, 53, 1000), "3.6 to 5.3 %");
  EXPECT_EQ(percents(0, 53, 1000), "0 to 5.3 %");
  EXPECT_EQ(percents(53.1, 53.2, 1000), "5.3 %");
  EXPECT_EQ(percent(1, 100'000), "< 0.1 %");
  EXPECT_EQ(percent(96, 100), "96.0 %");
  EXPECT_EQ(percent(1, 0), "-");
  EXPECT_EQ(signedPercent(-0.0551), "-5.5 %");
  EXPECT_EQ(signedPercent(0.02), "+2.0 %");
  EXPECT_EQ(signedPercent(-0.0004), "0.0 %");
  EXPECT_EQ(signedPercent(0.0004), "0.0 %");
  EXPECT_EQ(pValue(0.0001), "p < 0.001");
  EXPECT_EQ(pValue(0.004), "p < 0.01");
  EXPECT_EQ(pValue(0.034), "p = 0.03");
}

TEST(Format, CountsAndSizes) {
  EXPECT_EQ(count(0), "0");
  EXPECT_EQ(count(999), "999");
  EXPECT_EQ(count(1'000), "1,000");
  EXPECT_EQ(count(1'234'567), "1,234,567");
  EXPECT_EQ(bytes(999), "999 B");
  EXPECT_EQ(bytes(3'100'000), "3.1 MB");
}
