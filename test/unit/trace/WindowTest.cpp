// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Simulator.h"
#include "TraceWriter.h"

#include "trace/Readers.h"
#include "trace/WindowRequest.h"
#include "trace/timeline/PartOf.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::trace;

namespace {

/// Of a recording from 1 s to 11 s; {0, 0}: not a window of it.
Window windowOf(llvm::StringRef Text) {
  llvm::Expected<WindowRequest> R = WindowRequest::parse(Text);
  if (!R) {
    llvm::consumeError(R.takeError());
    return {-1, -1};
  }
  llvm::Expected<Window> W = R->in({1'000'000'000, 11'000'000'000});
  if (!W) {
    llvm::consumeError(W.takeError());
    return {0, 0};
  }
  return *W;
}

void expectWindow(llvm::StringRef Text, int64_t Start, int64_t End) {
  Window W = windowOf(Text);
  EXPECT_EQ(W.Start, Start) << Text.str();
  EXPECT_EQ(W.End, End) << Text.str();
}

TEST(WindowRequest, GivesTimesFromTheBeginningOfTheRecording) {
  expectWindow("2s:3.5s", 3'000'000'000, 4'500'000'000);
  expectWindow("500 ms : 1s", 1'500'000'000, 2'000'000'000);
  expectWindow("10%:20%", 2'000'000'000, 3'000'000'000);
  expectWindow(":250us", 1'000'000'000, 1'000'250'000);
  expectWindow("90%:", 10'000'000'000, 11'000'000'000);
  expectWindow("5s:100%", 6'000'000'000, 11'000'000'000);
  expectWindow("7ns:0.1min", 1'000'000'007, 7'000'000'000);
}

TEST(WindowRequest, EndsWithTheRecording) {
  expectWindow("9s:1000s", 10'000'000'000, 11'000'000'000);
  for (const char *Text : {"10s:", "12s:13s", "6s:20%"})
    expectWindow(Text, 0, 0);
}

TEST(WindowRequest, RefusesWhatItCannotMean) {
  for (const char *Text : {"", ":", "2s", "2:3", "3s:2s", "2s:2s", "20%:10%",
                           "100%:", "-1s:2s", "1s:2h", "1s:2s:3s", "110%:",
                           "nan%:", "infs:", "1e300s:", "s:2s", "%:", "2ss:"})
    expectWindow(Text, -1, -1);
}

/// 20 steps of 10 kernels, read back from a file.
Timeline readPart(std::optional<Window> Keep, uint64_t MaxEvents = 1'000'000) {
  test::Training P;
  P.Steps = 20;
  P.Kernels = 10;
  std::string Bytes;
  llvm::raw_string_ostream Out(Bytes);
  writePftrace(test::simulateTraining(P), Out);
  Selection Select;
  Select.Keep = Keep;
  Select.MaxEvents = MaxEvents;
  llvm::Expected<Timeline> T = readPftrace(Bytes, nullptr, Select);
  EXPECT_TRUE(bool(T));
  return std::move(*T);
}

TEST(Selection, KeepsWhatLiesInTheWindow) {
  const Timeline All = readPart(std::nullopt);
  const int64_t Length = All.end() - All.begin();
  const Window Keep{All.begin() + Length / 4, All.begin() + Length / 2};
  const Timeline T = readPart(Keep);
  ASSERT_TRUE(T.Part);
  EXPECT_EQ(T.Part->Whole.Start, All.begin());
  EXPECT_EQ(T.Part->Whole.End, All.end());
  EXPECT_EQ(T.Part->HostEvents + T.Host.size(), All.Host.size());
  EXPECT_EQ(T.Part->Operations + T.Ops.size(), All.Ops.size());
  EXPECT_GT(T.Ops.size(), 0u);
  for (size_t I = 0; I < T.Host.size(); ++I) {
    EXPECT_GE(T.Host.Start[I], Keep.Start - 1);
    EXPECT_LE(T.Host.End[I], Keep.End + 1);
    if (T.Host.isCall(I)) {
      EXPECT_GE(T.Host.Start[I], Keep.Start);
      EXPECT_LE(T.Host.End[I], Keep.End);
    }
  }
  // Ranges around the window are still there, and nest.
  EXPECT_EQ(T.Host.Kind[0], HostKind::Range);
  EXPECT_EQ(T.Host.Start[0], Keep.Start - 1);
  for (size_t I = 0; I < T.Ops.size(); ++I)
    EXPECT_TRUE(T.Ops.End[I] > Keep.Start && T.Ops.Start[I] < Keep.End);
  ASSERT_EQ(T.Recorded.List.size(), 1u);
  EXPECT_EQ(T.Recorded.List[0].Start, Keep.Start);
}

/// A window of a timeline in memory is what reading only that window gives.
TEST(PartOf, IsWhatSelectionReads) {
  const Timeline All = readPart(std::nullopt);
  const int64_t Length = All.end() - All.begin();
  for (int64_t From : {0, 3, 7, 12})
    for (int64_t To : {13, 15, 16}) {
      const Window Keep{All.begin() + From * Length / 16,
                        All.begin() + To * Length / 16};
      const Timeline Read = readPart(Keep), Part = partOf(All, Keep);
      ASSERT_TRUE(Part.Part);
      EXPECT_EQ(Part.Host.Start, Read.Host.Start);
      EXPECT_EQ(Part.Host.End, Read.Host.End);
      EXPECT_EQ(Part.Host.Thread, Read.Host.Thread);
      EXPECT_EQ(Part.Ops.Start, Read.Ops.Start);
      EXPECT_EQ(Part.Ops.End, Read.Ops.End);
      EXPECT_EQ(Part.Ops.Launch, Read.Ops.Launch);
      EXPECT_EQ(Part.LaunchOrder, Read.LaunchOrder);
      EXPECT_EQ(Part.begin(), Read.begin());
      EXPECT_EQ(Part.end(), Read.end());
      EXPECT_EQ(Part.Part->HostEvents, Read.Part->HostEvents);
      EXPECT_EQ(Part.Part->Operations, Read.Part->Operations);
      EXPECT_EQ(Part.Part->Whole.End, Read.Part->Whole.End);
      EXPECT_EQ(Part.Recorded.missing(0, All.end()),
                Read.Recorded.missing(0, All.end()));
    }
}

/// Operations know the outermost call; if the edge cuts it, the one inside.
TEST(PartOf, KeepsTheCallInsideOneThatIsCut) {
  TimelineBuilder B;
  B.addThread(1, "");
  const uint32_t Outer = B.T.Strings.intern("cudaLaunchKernel"),
                 Inner = B.T.Strings.intern("cuLaunchKernel");
  B.addHost(HostKind::Api, 0, 10, 50, Outer, None, 5);
  B.addHost(HostKind::Driver, 0, 20, 40, Inner, None, 5);
  B.addOp(B.queue(0, 1, 7), B.addStage({}), 60, 70, 5);
  const Timeline All = B.finish();
  ASSERT_EQ(All.Ops.Launch[0], 0u);
  const Timeline Part = partOf(All, {15, 80});
  ASSERT_EQ(Part.Host.size(), 1u);
  EXPECT_EQ(Part.Host.Name[0], Inner);
  EXPECT_EQ(Part.Ops.Launch[0], 0u);
}

TEST(Selection, OfAWindowWithNothingInItTellsTheSpan) {
  const Timeline All = readPart(std::nullopt);
  const Timeline T = readPart(Window{0, 0});
  EXPECT_EQ(T.Host.size() + T.Ops.size(), 0u);
  EXPECT_EQ(T.Part->Whole.Start, All.begin());
  EXPECT_EQ(T.Part->Whole.End, All.end());
}

TEST(Selection, CountsWhatIsTooMuch) {
  const Timeline All = readPart(std::nullopt);
  const Timeline T = readPart(std::nullopt, 100);
  EXPECT_EQ(T.Host.size() + T.Ops.size(), 100u);
  EXPECT_EQ(T.Unread.EventsTooMany, All.Host.size() + All.Ops.size() - 100);
  EXPECT_EQ(All.Unread.EventsTooMany, 0u);
}

} // namespace
