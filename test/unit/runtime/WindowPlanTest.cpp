// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/protocol/WindowPlan.h"
#include "runtime/protocol/MeasuredCosts.h"
#include "runtime/protocol/RangeName.h"

#include <gtest/gtest.h>

using namespace autoprof::runtime;

namespace {

constexpr SpelledAs Names = SpelledAs::Option;

WindowPlan parsed(const WindowWords &Given) {
  WindowPlan Plan;
  std::string Problem;
  EXPECT_TRUE(parseWindow(Given, Names, Plan, Problem)) << Problem;
  return Plan;
}

std::string problem(const WindowWords &Given) {
  WindowPlan Plan;
  std::string Problem;
  EXPECT_FALSE(parseWindow(Given, Names, Plan, Problem));
  EXPECT_EQ(Plan.Kind, WindowKind::All); // It stays as it was.
  return Problem;
}

} // namespace

TEST(WindowPlan, NothingGivenIsTheWholeRun) {
  EXPECT_EQ(parsed({}).Kind, WindowKind::All);
  EXPECT_TRUE(parsed({}).startsOpen());
  EXPECT_EQ(parsed({"", "", "", "", "all"}).Kind, WindowKind::All);
}

TEST(WindowPlan, Steps) {
  WindowPlan P = parsed({"3:8,100:110", "train_step", "", "", ""});
  EXPECT_EQ(P.text(), "steps 3:8,100:110 of train_step");
  EXPECT_FALSE(P.startsOpen());
  for (uint64_t Step : {3u, 7u, 100u, 109u})
    EXPECT_TRUE(P.contains(Step)) << Step;
  for (uint64_t Step : {0u, 2u, 8u, 99u, 110u})
    EXPECT_FALSE(P.contains(Step)) << Step;
  EXPECT_TRUE(parsed({":2", "", "", "", ""}).contains(0));
  EXPECT_TRUE(parsed({"5:", "", "", "", ""}).contains(1u << 30));
  for (const char *Bad : {"3", "8:3", "3:3", ":", "a:b", "3:8,", ",3:8",
                          "3:8,5:9", "-1:2", "1:99999999999999999999"})
    EXPECT_NE(problem({Bad, "", "", "", ""}).find("--steps="),
              std::string::npos)
        << Bad;
}

TEST(WindowPlan, Times) {
  WindowPlan P = parsed({"", "", "1.5s", "500ms", ""});
  EXPECT_EQ(P.Kind, WindowKind::Time);
  EXPECT_EQ(P.DelayNs, 1'500'000'000u);
  EXPECT_EQ(P.DurationNs, 500'000'000u);
  EXPECT_EQ(P.text(), "500ms from 1500ms on");
  EXPECT_FALSE(P.startsOpen());
  EXPECT_TRUE(parsed({"", "", "", "10", ""}).startsOpen());
  EXPECT_EQ(parsed({"", "", "2m", "", ""}).DelayNs, 120'000'000'000u);
  EXPECT_EQ(parsed({"", "", "1h", "", ""}).text(), "all from 3600s on");
  for (const char *Bad : {"s", "5x", "-1", "1.2.3", "5 s", "1e3s", "999999h"})
    EXPECT_NE(problem({"", "", Bad, "", ""}).find("--delay="),
              std::string::npos)
        << Bad;
  EXPECT_NE(problem({"", "", "", "0", ""}).find("--duration="),
            std::string::npos);
}

TEST(WindowPlan, OnlyOneKind) {
  EXPECT_EQ(parsed({"", "", "", "", "profiler-api"}).Kind,
            WindowKind::ProfilerApi);
  EXPECT_EQ(parsed({"", "", "", "", "manual"}).text(), "manual");
  EXPECT_EQ(problem({"", "epoch 3", "", "", ""}),
            "--range=epoch 3 names what a step is: give --steps=FROM:TO, too");
  problem({"", "", "", "", "often"});
  problem({"1:2", "", "1s", "", ""});
  problem({"1:2", "", "", "", "manual"});
  problem({"", "r", "", "1s", ""});
}

TEST(WindowPlan, ARingGoesWithAll) {
  WindowPlan P = parsed({"", "", "", "", "", "64M"});
  EXPECT_EQ(P.Kind, WindowKind::All);
  EXPECT_EQ(P.KeepBytes, 64u << 20);
  EXPECT_EQ(P.text(), "the last 64M");
  EXPECT_EQ(parsed({"3:8", "", "", "", "", "1536K"}).text(),
            "the last 1536K of steps 3:8");
  for (const char *Bad : {"1K", "64MB", "-1", "0"})
    EXPECT_NE(problem({"", "", "", "", "", Bad}).find("--max-size="),
              std::string::npos)
        << Bad;
}

TEST(MeasuredCosts, AreReadAsTheyAreWritten) {
  MeasuredCosts Costs;
  ASSERT_TRUE(parseCosts("2010,240,3420,0", Costs));
  EXPECT_EQ(Costs.Unrecorded.Launch, 2010u);
  EXPECT_EQ(Costs.Unrecorded.Wait, 240u);
  EXPECT_EQ(Costs.Recorded.Launch, 3420u);
  EXPECT_EQ(Costs.text(), "2010,240,3420,0");
  for (const char *Bad : {"", "off", "2010", "2010,240,3420", "1,2,3,4,5",
                          "0,240,3420,610", "2010,240,0,610", "1,,3,4",
                          "1,2,3,4,", "-1,2,3,4", "1,2,3,4444444444444"})
    EXPECT_FALSE(parseCosts(Bad, Costs)) << Bad;
  EXPECT_EQ(Costs.Recorded.Launch, 3420u);
}

TEST(RangeName, MeansWhatReportsCallIt) {
  EXPECT_TRUE(RangeName("train_step").meansFunction("net::train_step(int)"));
  EXPECT_TRUE(RangeName("function:train_step").meansFunction("train_step"));
  EXPECT_TRUE(RangeName("std::sort").meansFunction("std::sort"));
  EXPECT_FALSE(RangeName("step").meansFunction("train_step"));
  EXPECT_FALSE(RangeName("range:step").meansFunction("step"));
  EXPECT_TRUE(RangeName("loop:train.cu:88").meansLoop("src/train.cu", 88));
  EXPECT_TRUE(RangeName("/p/src/train.cu:88").meansLoop("src/train.cu", 88));
  EXPECT_FALSE(RangeName("train.cu:88").meansLoop("src/train.cu", 89));
  EXPECT_FALSE(RangeName("train.cu").meansLoop("src/train.cu", 88));
  EXPECT_FALSE(RangeName("ain.cu:88").meansLoop("src/train.cu", 88));
}

TEST(RangeName, NumberedRanges) {
  EXPECT_TRUE(RangeName("epoch 3").meansRange("epoch 3"));
  EXPECT_FALSE(RangeName("epoch").meansRange("epoch 3"));
  EXPECT_TRUE(RangeName("epoch #").meansRange("epoch 12"));
  EXPECT_TRUE(RangeName("range:epoch #").meansRange("epoch 3"));
  EXPECT_TRUE(RangeName("#").meansRange("7"));
  EXPECT_FALSE(RangeName("epoch #").meansRange("epoch"));
  EXPECT_FALSE(RangeName("loop:epoch #").meansRange("epoch 3"));
  EXPECT_FALSE(RangeName("").meansRange(""));
}
