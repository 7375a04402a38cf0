// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Baseline.h"

#include <gtest/gtest.h>

using namespace autoprof::audit;

namespace {

Finding found(const char *Fingerprint, const char *Call, const char *Rule) {
  Finding F;
  F.Fingerprint = Fingerprint;
  F.Call = Call;
  F.Rule = Rule;
  return F;
}

const Baseline Known{{{"1", "autoprof-readback-printed", "a", Severity::Medium,
                       "x.cu", "f", "copy();", "needed"},
                      {"2", "autoprof-unsafe-early-read", "b", Severity::High,
                       "x.cu", "f", "copy(late);", ""},
                      {"3", "autoprof-sync-for-timing", "", Severity::Low,
                       "x.cu", "f", "", ""}}};

TEST(Baseline, FindsTheFingerprintFirst) {
  EXPECT_EQ(Known.entryOf(found("1", "b", "any"), {}), &Known.Entries[0]);
}

TEST(Baseline, FindsTheCallOfAnotherRule) {
  const Finding F = found("9", "a", "autoprof-copy-async-pageable");
  EXPECT_EQ(Known.entryOf(F, {}), &Known.Entries[0]);
}

TEST(Baseline, AnotherCallIsNew) {
  EXPECT_FALSE(Known.entryOf(found("9", "c", "autoprof-sync-in-loop"), {}));
  EXPECT_FALSE(Known.entryOf(found("9", "", "autoprof-sync-in-loop"), {}));
}

TEST(Baseline, AnEntryIsUsedOnce) {
  llvm::StringSet<> All;
  All.insert("1");
  const Finding F = found("9", "a", "autoprof-copy-async-pageable");
  EXPECT_FALSE(Known.entryOf(F, All));
}

TEST(Baseline, AcceptedWaitsAcceptNoRaces) {
  EXPECT_FALSE(
      Known.entryOf(found("9", "a", "autoprof-unsafe-early-read"), {}));
  EXPECT_FALSE(Known.entryOf(found("9", "b", "autoprof-copy-synchronous"), {}));
}

TEST(Baseline, UpdatesKeepTheReasonOfACall) {
  const AcceptedFinding New{"9",       "autoprof-copy-async-pageable",
                            "a",       Severity::Medium,
                            "x.cu",    "f",
                            "copy();", ""};
  const Baseline B =
      update(Known, {New}, [](const AcceptedFinding &) { return false; });
  ASSERT_EQ(B.Entries.size(), 1u);
  EXPECT_EQ(B.Entries[0].Reason, "needed");
}

TEST(Baseline, UpdatesCopyTheReasonOfAKeptEntry) {
  const AcceptedFinding New{"9",       "autoprof-copy-async-pageable",
                            "a",       Severity::High,
                            "x.cu",    "f",
                            "copy();", ""};
  const Baseline B =
      update(Known, {New}, [](const AcceptedFinding &) { return true; });
  ASSERT_EQ(B.Entries.size(), 4u);
  EXPECT_EQ(B.find("1")->Reason, "needed");
  EXPECT_EQ(B.find("9")->Reason, "needed");
}

TEST(Baseline, AnEmptyReasonReplacesNone) {
  Baseline Old = Known;
  AcceptedFinding Other = Old.Entries.front();
  Other.Fingerprint = "8";
  Other.Reason.clear();
  Old.Entries.push_back(Other);
  const AcceptedFinding New{"9",       "autoprof-copy-async-pageable",
                            "a",       Severity::High,
                            "x.cu",    "f",
                            "copy();", ""};
  const Baseline B =
      update(Old, {New}, [](const AcceptedFinding &) { return true; });
  EXPECT_EQ(B.find("9")->Reason, "needed");
}

} // namespace
