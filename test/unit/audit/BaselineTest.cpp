// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Baseline.h"

#include <gtest/gtest.h>

using namespace autoprof::audit;

namespace {

const Baseline Known{{{"1", "autoprof-readback-printed", Severity::Medium,
                       "x.cu", "f", "run", "copy();", "needed"},
                      {"2", "autoprof-unsafe-early-read", Severity::High,
                       "x.cu", "f", "", "copy(late);", ""}}};

AcceptedFinding found(const char *Function, const char *Loop) {
  return {"9",
          "autoprof-readback-printed",
          Severity::Medium,
          "x.cu",
          Function,
          Loop,
          "copy();",
          ""};
}

bool keepsNone(const AcceptedFinding &) { return false; }

TEST(Baseline, FindsFingerprints) {
  EXPECT_EQ(Known.find("1"), &Known.Entries[0]);
  EXPECT_FALSE(Known.find("9"));
}

TEST(Baseline, UpdatesKeepTheReasonOfARenamedFunction) {
  const Baseline B = update(Known, {found("renamed", "run")}, keepsNone);
  ASSERT_EQ(B.Entries.size(), 1u);
  EXPECT_EQ(B.Entries[0].Reason, "needed");
}

TEST(Baseline, AReasonIsForWaitsInALoopOrForOthers) {
  const Baseline B = update(Known, {found("renamed", "")}, keepsNone);
  ASSERT_EQ(B.Entries.size(), 1u);
  EXPECT_EQ(B.Entries[0].Reason, "");
}

TEST(Baseline, UpdatesKeepEntries) {
  const Baseline B = update(Known, {found("f", "other")},
                            [](const AcceptedFinding &) { return true; });
  ASSERT_EQ(B.Entries.size(), 3u);
  EXPECT_EQ(B.find("1")->Reason, "needed");
  EXPECT_EQ(B.find("9")->Reason, "");
}

} // namespace
