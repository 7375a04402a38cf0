// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prices/Prices.h"

#include <gtest/gtest.h>

using namespace autoprof::prices;
using llvm::StringRef;

namespace {

/// A report with `Steps` and one site, as `autoprof report --format=json`
/// writes it.
std::string report(StringRef Steps, StringRef Site,
                   StringRef Unreached = "[]") {
  return (R"({"schema": "autoprof-report/1",
    "inputs": [{"path": "a.pftrace", "command": "./train", "mode": "full"}],
    "recorded": {"plan": null}, "window": null,
    "summary": {"gpu_span_ns": 100000, "wait_ns": 4000},
    "steps": )" +
          Steps + R"(, "sites": [)" + Site + R"(], "unreached": )" + Unreached +
          "}")
      .str();
}

const char SomeSteps[] =
    R"({"source": "loop at a.cu:3", "measured": 10, "span_ns": 50000,
        "regime": "in_between"})";
const char OtherSteps[] =
    R"({"source": "loop at b.cu:3", "measured": 10, "span_ns": 50000})";
const char Copy[] = R"({"id": "0x0000000000000001", "file": "a.cu", "line": 5,
  "function": "train", "call": "cudaMemcpy", "kind": "copy", "count": 12,
  "host_ns": 6000, "wait_ns": 4000, "waits": 11, "exposed_ns": 3000,
  "gain_low_ns": 1000, "gain_high_ns": 3000, "gain_note": null,
  "steps": {"waits": 10, "wait_ns": 3500, "exposed_ns": 2500,
            "gain_low_ns": 900, "gain_high_ns": 2500},
  "verdict": "postpone", "expected_gain": {"change": "postpone",
    "runs": "recorded", "per_step": true, "low_ns": 60, "middle_ns": 100,
    "high_ns": 200, "whole_ns": 5000}})";

Prices read(const std::string &Json) {
  llvm::Expected<Prices> Result = readReport(Json);
  if (!Result) {
    ADD_FAILURE() << toString(Result.takeError());
    return {};
  }
  return std::move(*Result);
}

Prices sumOf(std::vector<std::string> Reports) {
  std::vector<Prices> All;
  for (const std::string &Json : Reports)
    All.push_back(read(Json));
  return sum(std::move(All));
}

} // namespace

TEST(Prices, AreReadFromAReport) {
  EXPECT_TRUE(isReport(report(SomeSteps, Copy)));
  EXPECT_FALSE(isReport("{\"schema\": \"autoprof-summary/1\"}"));
  const Prices P =
      sumOf({report(SomeSteps, Copy, R"(["0x0000000000000002"])")});
  ASSERT_EQ(P.Sites.size(), 1u);
  const SitePrice &S = P.Sites.front();
  EXPECT_EQ(S.Position.Id, 1u);
  EXPECT_EQ(S.Calls, 12u);
  EXPECT_EQ(S.Waits, 11u);
  ASSERT_TRUE(S.Steps);
  // What the report expects is of a step.
  ASSERT_TRUE(P.Unreached);
  EXPECT_TRUE(P.Unreached->count(2));
  const std::optional<Promise> Gain = promise(S);
  ASSERT_TRUE(Gain);
  EXPECT_EQ(Gain->Change, "postpone");
  EXPECT_EQ(Gain->Saved.Low, 600);
  EXPECT_EQ(Gain->Count, 10);
  EXPECT_EQ(Gain->Whole, 50000);
}

TEST(Prices, OfEqualStepsAddUp) {
  const Prices P = sumOf({report(SomeSteps, Copy), report(SomeSteps, Copy)});
  ASSERT_EQ(P.Sites.size(), 1u);
  const SitePrice &S = P.Sites.front();
  EXPECT_EQ(S.Recordings, 2u);
  EXPECT_EQ(S.Calls, 24u);
  EXPECT_EQ(*S.Wait, 8000);
  EXPECT_EQ(S.Steps->Removed.High, 5000);
  EXPECT_EQ(S.Totals->Count, 20u);
  EXPECT_EQ(promise(S)->Saved.High, 4000);
  EXPECT_EQ(P.Steps->Count, 20u);
  EXPECT_EQ(*P.Waited, 8000);
}

TEST(Prices, OfDifferentStepsAreOfTheRuns) {
  const Prices P = sumOf({report(SomeSteps, Copy), report(OtherSteps, Copy)});
  const SitePrice &S = P.Sites.front();
  EXPECT_FALSE(S.Steps);
  EXPECT_FALSE(P.Steps);
  EXPECT_EQ(P.StepSpan, 100000);
  const std::optional<Promise> Gain = promise(S);
  ASSERT_TRUE(Gain);
  EXPECT_FALSE(Gain->InSteps);
  EXPECT_EQ(Gain->Change, "remove");
  EXPECT_EQ(Gain->Saved.High, 6000);
  EXPECT_EQ(Gain->Whole, 200000);
}

TEST(Prices, WhatOneRecordingDoesNotKnowIsUnknown) {
  std::string Light = report("null", R"({"id": "0x0000000000000001",
    "file": "a.cu", "line": 5, "call": "cudaMemcpy", "count": 3, "waits": 0,
    "host_ns": 7, "wait_ns": null, "exposed_ns": null, "steps": null})",
                             "null");
  const Prices P = sumOf({report(SomeSteps, Copy), Light});
  const SitePrice &S = P.Sites.front();
  EXPECT_EQ(S.Calls, 15u);
  EXPECT_FALSE(S.Wait);
  EXPECT_FALSE(promise(S));
  EXPECT_FALSE(P.Unreached);
}

TEST(Prices, AProbeThatRanInOneRecordingWasReached) {
  const Prices P = sumOf(
      {report(SomeSteps, Copy), report(SomeSteps, "", R"(["0x0000000000000001",
                                       "0x0000000000000002"])")});
  ASSERT_TRUE(P.Unreached);
  EXPECT_EQ(*P.Unreached, std::set<uint64_t>{2});
  EXPECT_EQ(P.Sites.front().Recordings, 1u);
  EXPECT_EQ(P.Sites.front().Totals->Count, 10u);
}

TEST(Prices, OtherFilesAreRefused) {
  for (const char *Wrong : {"", "[]", "{", R"({"schema": "autoprof-audit/1"})",
                            R"({"schema": "autoprof-report/2"})",
                            R"({"schema": "autoprof-report/1"})"}) {
    llvm::Expected<Prices> Result = readReport(Wrong);
    EXPECT_FALSE(bool(Result)) << Wrong;
    if (!Result)
      EXPECT_FALSE(toString(Result.takeError()).empty());
  }
}
