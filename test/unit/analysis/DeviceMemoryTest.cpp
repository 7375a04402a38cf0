// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Simulator.h"

#include "analysis/Analysis.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

/// Allocations and releases, each in a call of its own.
struct Program : Simulator {
  uint64_t LastId = 1'000'000;

  void event(llvm::StringRef Call, bool IsRelease, uint64_t Address,
             uint64_t Bytes, MemoryKind Kind = MemoryKind::Device,
             uint32_t Device = 0) {
    B.addHost(HostKind::Api, 0, Now, Now + 10, B.T.Strings.intern(Call), None,
              ++LastId);
    B.addMemory({Now + 5, IsRelease, Kind, Device, Address, Bytes, None},
                LastId);
    Now += 10;
  }
  void allocate(uint64_t Address, uint64_t Bytes) {
    event("cudaMalloc", false, Address, Bytes);
  }
  void release(uint64_t Address) { event("cudaFree", true, Address, 0); }
  std::vector<DeviceMemory> memories() {
    Timeline T = finish();
    return llvm::cantFail(analyse(T)).Memories;
  }
};

} // namespace

TEST(DeviceMemory, FindsThePeakAndWhoHoldsIt) {
  Program P;
  uint32_t A = P.site(1, "alloc", 5, "cudaMalloc"),
           B = P.site(2, "alloc", 9, "cudaMalloc");
  P.enter(HostKind::Site, A);
  P.allocate(0x1000, 100);
  P.leave();
  P.enter(HostKind::Site, B);
  P.allocate(0x2000, 500);
  P.allocate(0x3000, 300);
  P.leave();
  P.release(0x2000);
  P.allocate(0x2000, 50); // The address again.
  std::vector<DeviceMemory> All = P.memories();
  ASSERT_EQ(All.size(), 1u);
  const DeviceMemory &M = All[0];
  EXPECT_EQ(M.PeakBytes, 900u);
  EXPECT_EQ(M.Allocations, 4u);
  EXPECT_EQ(M.Releases, 1u);
  EXPECT_EQ(M.Unmatched, 0u);
  ASSERT_EQ(M.AtPeak.size(), 2u);
  EXPECT_EQ(M.AtPeak[0].Site, B);
  EXPECT_EQ(M.AtPeak[0].Bytes, 800u);
  EXPECT_EQ(M.AtPeak[0].Count, 2u);
  EXPECT_EQ(M.AtPeak[1].Site, A);
  uint64_t Left = 0;
  for (const MemoryHolder &H : M.NotFreed)
    Left += H.Bytes;
  EXPECT_EQ(Left, 450u);
  ASSERT_EQ(M.Curve.size(), 5u);
  EXPECT_EQ(M.Curve[2], std::pair(M.PeakTime, uint64_t(900)));
  EXPECT_EQ(M.Curve[4].second, 450u);
}

TEST(DeviceMemory, EverythingFreedLeavesNothing) {
  Program P;
  P.allocate(0x1000, 100);
  P.release(0x1000);
  std::vector<DeviceMemory> All = P.memories();
  ASSERT_EQ(All.size(), 1u);
  EXPECT_TRUE(All[0].NotFreed.empty());
  EXPECT_EQ(All[0].AtPeak[0].Call, "cudaMalloc");
}

TEST(DeviceMemory, SaysWhatItDoesNotKnow) {
  Program P;
  EXPECT_TRUE(Program().memories().empty());
  P.release(0x1000); // Allocated before the recording began.
  P.allocate(0x2000, 100);
  P.event("cudaMallocHost", false, 0x3000, 1000, MemoryKind::Pinned);
  std::vector<DeviceMemory> All = P.memories();
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All[0].Unmatched, 1u);
  EXPECT_EQ(All[0].PeakBytes, 100u); // The host's memory is not the device's.
  EXPECT_FALSE(All[0].PeakStep);
}

TEST(DeviceMemory, NamesTheStepOfThePeakAndKeepsDevicesApart) {
  Program P;
  uint32_t Null = P.stream(7, StreamFlag::Null);
  uint32_t Loop = P.site(1, "loop", 10, "for");
  for (int I = 0; I < 5; ++I) {
    P.enter(HostKind::Range, Loop);
    P.launch(Null, 1'000);
    P.allocate(0x1000, I == 3 ? 200 : 100);
    P.release(0x1000);
    P.leave();
  }
  P.event("cudaMalloc", false, 0x1000, 70, MemoryKind::Device, 1);
  std::vector<DeviceMemory> All = P.memories();
  ASSERT_EQ(All.size(), 2u);
  EXPECT_EQ(All[0].PeakBytes, 200u);
  EXPECT_EQ(All[0].PeakStep, 4u);
  EXPECT_EQ(All[1].Device, 1u);
  EXPECT_EQ(All[1].PeakBytes, 70u);
}

TEST(DeviceMemory, LongCurvesKeepThePeakAndTheEnd) {
  Program P;
  for (int I = 0; I < 6'000; ++I) {
    P.allocate(0x1000, I == 4'321 ? 999 : 100);
    P.release(0x1000);
  }
  std::vector<DeviceMemory> All = P.memories();
  ASSERT_EQ(All.size(), 1u);
  EXPECT_LE(All[0].Curve.size(), 2'000u);
  uint64_t Most = 0;
  for (auto [Time, Bytes] : All[0].Curve)
    Most = std::max(Most, Bytes);
  EXPECT_EQ(Most, 999u);
  EXPECT_EQ(All[0].Curve.back().second, 0u);
}
