// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/stacks/Stacks.h"
#include "runtime/probes/Probes.h"
#include "runtime/probes/SlotRecords.h"
#include "runtime/support/Loss.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

using namespace autoprof::runtime;

namespace {

struct StackSink : ProbeSink {
  void probe(uint32_t, const ProbeRecord &) override {}
  void call(uint32_t, const CallRecord &) override {}
  void nvtx(uint32_t, const NvtxEvent &) override {}
  void threadEnded(uint32_t) override {}
  void stack(uint32_t Tid, const StackRecord &R) override {
    collectStack(Tid, R);
  }
};

std::vector<CallStack> drainStacks() {
  StackSink Sink;
  drainProbes(Sink);
  return takeStacks().Stacks;
}

StackRecord stackOf(std::string_view Text) {
  StackRecord R;
  R.Time = 4711;
  R.Correlation = 42;
  R.IsPython = true;
  R.Data = Text;
  return R;
}

void start() {
  ProbeOptions Options;
  Options.OnBacklog = [] {};
  startProbes(Options);
}

// Cancelled at any instruction: it may be in the middle of a record.
void *recordUntilCancelled(void *) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
  for (;;)
    recordStack(stackOf("a.py:1 f\n"));
}

/// Checked by UBSan: there is nothing to copy.
TEST(SlotRecords, TheEndOfAnNvtxRangeHasNoText) {
  NvtxEvent End;
  End.Kind = NvtxKind::Pop;
  End.Time = 7;
  ProbeRecord Slot;
  writeNvtx(End, &Slot);
  EXPECT_EQ(readNvtx(&Slot).Time, 7u);
  EXPECT_TRUE(readNvtx(&Slot).Text.empty());
}

} // namespace

TEST(Stacks, ArriveAsTheyWereRecorded) {
  start();
  const std::string Longest(MaxStackData, 'x');
  for (size_t Size :
       {size_t(1), size_t(23), size_t(24), size_t(25), MaxStackData}) {
    EXPECT_TRUE(recordStack(stackOf(Longest.substr(0, Size))));
    const std::vector<CallStack> Stacks = drainStacks();
    ASSERT_EQ(Stacks.size(), 1u);
    EXPECT_EQ(Stacks[0].Frames, Longest.substr(0, Size));
    EXPECT_EQ(Stacks[0].Time, 4711u);
    EXPECT_EQ(Stacks[0].Correlation, 42u);
    EXPECT_EQ(Stacks[0].Tid, static_cast<uint32_t>(gettid()));
  }
}

TEST(Stacks, NobodyWaitsForAThreadThatIsGone) {
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "TSan's interceptors cannot be cancelled";
#endif
  start();
  for (unsigned I = 0; I < 50; ++I) {
    pthread_t Thread;
    ASSERT_EQ(pthread_create(&Thread, nullptr, recordUntilCancelled, nullptr),
              0);
    usleep(200);
    pthread_cancel(Thread);
    pthread_join(Thread, nullptr);
    drainStacks();
  }
  const uint64_t Before = Lost.StacksDropped;
  EXPECT_TRUE(recordStack(stackOf("a.py:1 f\n")));
  EXPECT_EQ(drainStacks().size(), 1u);
  EXPECT_EQ(Lost.StacksDropped, Before);
}
