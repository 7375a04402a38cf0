// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What TraceWriter writes, PftraceReader gives back.
#include "Simulator.h"
#include "TraceWriter.h"

#include "trace/Readers.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::trace;

namespace {

Timeline roundTrip(const Timeline &T) {
  std::string Bytes;
  llvm::raw_string_ostream Out(Bytes);
  writePftrace(T, Out);
  llvm::Expected<Timeline> Read = readPftrace(Bytes);
  if (!Read) {
    ADD_FAILURE() << llvm::toString(Read.takeError());
    return Timeline();
  }
  return std::move(*Read);
}

std::vector<std::string> names(const Timeline &T) {
  std::vector<std::string> Result;
  for (uint32_t N : T.Host.Name)
    Result.push_back(T.Strings[N].str());
  return Result;
}

} // namespace

TEST(RoundTrip, KeepsEventsAndTheirRelations) {
  Timeline T = test::simulateTraining({});
  Timeline Read = roundTrip(T);
  EXPECT_EQ(Read.Host.Start, T.Host.Start);
  EXPECT_EQ(Read.Host.End, T.Host.End);
  EXPECT_EQ(Read.Host.Kind, T.Host.Kind);
  EXPECT_EQ(names(Read), names(T));
  EXPECT_EQ(Read.Ops.Start, T.Ops.Start);
  EXPECT_EQ(Read.Ops.End, T.Ops.End);
  EXPECT_EQ(Read.Ops.Launch, T.Ops.Launch);
  EXPECT_EQ(Read.LaunchOrder, T.LaunchOrder);
  EXPECT_EQ(Read.begin(), T.begin());
  EXPECT_EQ(Read.end(), T.end());
  EXPECT_EQ(Read.Unread.BytesDropped, 0u);
  EXPECT_EQ(Read.Unread.SlicesUnpaired, 0u);
  EXPECT_EQ(Read.Unread.PacketsDamaged, 0u);
}

TEST(RoundTrip, KeepsTables) {
  test::Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Other = S.stream(13, StreamFlag::NonBlocking);
  uint32_t Where = S.site(0xfedcba9876543210, "copy", 88, "f|g;h%", "a b.cu");
  S.B.T.Devices.push_back(
      {0, "NVIDIA H200", 9, 0, 132, 1ull << 37, 64, 32, 65536, 233472});
  S.B.T.Overheads.push_back({5, 9, OverheadKind::QueueFull, 1000});
  S.B.T.Lost.CuptiDropped = 3;
  S.B.addHost(HostKind::Api, 0, 1, 4, S.B.T.Strings.intern("cudaMalloc"), None,
              77);
  S.B.addMemory({7, true, MemoryKind::Device, 0, 0x7000, 0, None}, 0);
  S.B.addMemory({3, false, MemoryKind::Pinned, 1, 0x9000, 1 << 20, None}, 77);
  S.Now = 10;
  S.B.T.Recorded.Limited = true;
  S.B.T.Recorded.Plan = "steps 3:8";
  S.B.T.Recorded.StepsSeen = 120;
  S.B.T.Recorded.StepsRecorded = 5;
  S.B.T.Recorded.LaunchCost = 3512;
  S.B.T.OwnCosts = RecorderCosts{{2000, 250}, {3400, std::nullopt}};
  S.B.T.Recorded.List = {{10, 20}, {30, 1'000'000'000}};
  S.enter(HostKind::Site, Where);
  S.launch(Null, 1000);
  S.readBack(Other);
  S.synchronizeStream(Other);
  S.leave();
  LaunchShape &Shape = S.B.T.Stages[0].Shape;
  Shape = {{80, 2, 1}, {256, 1, 1}, 32, 1024};
  Timeline T = roundTrip(S.finish());

  ASSERT_EQ(T.Queues.size(), 2u);
  EXPECT_EQ(T.Queues[0].Flag, StreamFlag::Null);
  EXPECT_EQ(T.Queues[1].Flag, StreamFlag::NonBlocking);
  EXPECT_EQ(T.Queues[1].Stream, 13u);
  ASSERT_EQ(T.Sites.size(), 1u);
  EXPECT_EQ(T.Sites[0].Id, 0xfedcba9876543210u);
  EXPECT_EQ(T.Sites[0].Line, 88u);
  EXPECT_EQ(T.Sites[0].Callee, "f|g;h%");
  EXPECT_EQ(T.Sites[0].File, "a b.cu");
  ASSERT_EQ(T.Devices.size(), 1u);
  EXPECT_EQ(T.Devices[0].Name, "NVIDIA H200");
  EXPECT_EQ(T.Devices[0].ComputeMajor, 9u);
  EXPECT_EQ(T.Devices[0].Sms, 132u);
  EXPECT_EQ(T.Devices[0].MemoryBytes, 1ull << 37);
  EXPECT_EQ(T.Devices[0].WarpsPerSm, 64u);
  EXPECT_EQ(T.Devices[0].BlocksPerSm, 32u);
  EXPECT_EQ(T.Devices[0].RegistersPerSm, 65536u);
  EXPECT_EQ(T.Devices[0].SharedPerSm, 233472u);
  ASSERT_EQ(T.Stages.size(), 2u);
  EXPECT_EQ(T.Stages[0].Shape.blocks(), 160u);
  EXPECT_EQ(T.Stages[0].Shape.threads(), 256u);
  EXPECT_EQ(T.Stages[0].Shape.Registers, 32u);
  EXPECT_EQ(T.Stages[0].Shape.Shared, 1024u);
  EXPECT_FALSE(T.Stages[1].Shape.Shared);
  EXPECT_EQ(T.Stages[1].Dir, Direction::DtoH);
  EXPECT_EQ(T.Stages[1].Destination, MemoryKind::Pageable);
  EXPECT_EQ(T.Stages[1].Bytes, 4u);
  ASSERT_EQ(T.Syncs.size(), 1u);
  EXPECT_EQ(T.Syncs[0].Stream, 13u);
  EXPECT_EQ(T.Strings[T.Host.Name[T.Syncs[0].Call]], "cudaStreamSynchronize");
  ASSERT_EQ(T.Overheads.size(), 1u);
  EXPECT_EQ(T.Overheads[0].Kind, OverheadKind::QueueFull);
  EXPECT_EQ(T.Overheads[0].End, 9);
  ASSERT_EQ(T.Memory.size(), 2u); // By time.
  EXPECT_EQ(T.Memory[0].Time, 3);
  EXPECT_FALSE(T.Memory[0].IsRelease);
  EXPECT_EQ(T.Memory[0].Kind, MemoryKind::Pinned);
  EXPECT_EQ(T.Memory[0].Device, 1u);
  EXPECT_EQ(T.Memory[0].Address, 0x9000u);
  EXPECT_EQ(T.Memory[0].Bytes, 1u << 20);
  EXPECT_EQ(T.Strings[T.Host.Name[T.Memory[0].Call]], "cudaMalloc");
  EXPECT_TRUE(T.Memory[1].IsRelease);
  EXPECT_EQ(T.Memory[1].Call, None);
  EXPECT_EQ(T.Lost.CuptiDropped, 3u);
  EXPECT_TRUE(T.Recorded.Limited);
  EXPECT_EQ(T.Recorded.Plan, "steps 3:8");
  EXPECT_EQ(T.Recorded.StepsSeen, 120u);
  EXPECT_EQ(T.Recorded.StepsRecorded, 5u);
  EXPECT_EQ(T.Recorded.LaunchCost, 3512);
  ASSERT_TRUE(T.OwnCosts);
  EXPECT_EQ(T.OwnCosts->Unrecorded.Launch, 2000);
  EXPECT_EQ(T.OwnCosts->Unrecorded.Wait, 250);
  EXPECT_EQ(T.OwnCosts->Recorded.Launch, 3400);
  EXPECT_EQ(T.OwnCosts->Recorded.Wait, std::nullopt);
  ASSERT_EQ(T.Recorded.List.size(), 2u);
  EXPECT_EQ(T.Recorded.List[0].End, 20);
  EXPECT_EQ(T.Recorded.List[1].Start, 30);
  EXPECT_EQ(T.Info.Mode, "full");
  EXPECT_EQ(T.Info.EndReason, "exit");
  EXPECT_EQ(T.Threads[0].Tid, 1000);
}

TEST(RoundTrip, NamesMayStartAfresh) {
  std::string Bytes;
  llvm::raw_string_ostream Out(Bytes);
  writePftrace(test::simulateTraining({}), Out);
  size_t Events = llvm::cantFail(readPftrace(Bytes)).Host.size();
  // The whole trace twice, by the same process: every sequence
  // clears its names and defines them again; the clock stays.
  llvm::Expected<Timeline> T = readPftrace(Bytes + Bytes);
  ASSERT_TRUE(bool(T));
  EXPECT_EQ(T->Host.size(), 2 * Events);
  EXPECT_EQ(T->Queues.size(), 1u);
}
