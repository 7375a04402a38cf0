// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime writes and the tool reads: a part of a trace alone.
#include "Fabricated.h"
#include "runtime/probes/Sites.h"
#include "runtime/support/Clock.h"

#include "trace/Readers.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <unistd.h>

using namespace autoprof::runtime;
using namespace fabricated;
namespace trace = autoprof::trace;

namespace {

class Repeat : public testing::Test {
protected:
  const uint64_t Zero = now();
  std::string Path;
  Output File;
  std::unique_ptr<Trace> T;
  std::unique_ptr<ActivityDecoder> D;

  void SetUp() override {
    std::string Folder = testing::TempDir() + "repeat-XXXXXX";
    ASSERT_TRUE(mkdtemp(Folder.data()));
    Path = Folder + "/run.pftrace";
    ASSERT_TRUE(File.open(Path));
    ProcessIdentity Process;
    Process.Hash = 0x1234567;
    Process.Pid = 99;
    T = std::make_unique<Trace>(File, Process, Zero);
    Layout Records;
    Layout::of(130001, Records);
    D = std::make_unique<ActivityDecoder>(*T, Records, functionName);
    addSites("0x00000000000000c1|copy|12|5|src/a.cu|train|cudaMemcpy;");
    T->standing("process", 0, "{\"pid\":99,\"mode\":\"full\"}");
    T->standing("sites", 1,
                "{\"rows\":\"0x00000000000000c1|copy|12|5|src/a.cu|train|"
                "cudaMemcpy;\"}");
    decode(*D, device());
    decode(*D, context(1, 7));
  }

  void TearDown() override {
    unlink(Path.c_str());
    rmdir(Path.substr(0, Path.rfind('/')).c_str());
  }

  // A copy at a site, and a kernel, at `Us` microseconds.
  void step(uint64_t Us, uint32_t Correlation) {
    uint64_t At = Zero + Us * 1000;
    decode(*D,
           api(CUPTI_ACTIVITY_KIND_RUNTIME, 1, 99, At, At + 2000, Correlation));
    decode(*D, kernel("_Z4stepPfi", 7, At + 3000, At + 9000, Correlation));
    T->probe(99, 0xc1, At + 4000, At + 9500);
    UserRange Range = {"epoch", 0};
    T->userRangeOnLane(0, Range, At, At + 10000);
  }

  std::string written() {
    T->flush();
    std::ifstream In(Path, std::ios::binary);
    std::stringstream Text;
    Text << In.rdbuf();
    return Text.str();
  }
};

trace::Timeline read(const std::string &Bytes) {
  llvm::Expected<trace::Timeline> T = trace::readPftrace(Bytes);
  if (T)
    return std::move(*T);
  ADD_FAILURE() << llvm::toString(T.takeError());
  return {};
}

// The whole of a step(), with all that its packets only refer to.
void expectStep(const trace::Timeline &T) {
  ASSERT_EQ(T.Ops.size(), 1u);
  EXPECT_EQ(T.Strings[T.Stages[T.Ops.Stage[0]].Name], "step(float*, int)");
  EXPECT_EQ(T.Queues[T.Ops.Queue[0]].Flag, trace::StreamFlag::Null);
  ASSERT_EQ(T.Host.size(), 3u);
  EXPECT_EQ(T.Ops.Launch[0], 1u);
  EXPECT_EQ(T.Strings[T.Host.Name[0]], "epoch");
  EXPECT_TRUE(T.Threads[T.Host.Thread[0]].IsLane);
  EXPECT_EQ(T.Strings[T.Host.Name[1]], "cudaLaunchKernel");
  EXPECT_EQ(T.Threads[T.Host.Thread[1]].Tid, 99);
  ASSERT_NE(T.Host.Site[2], trace::None);
  EXPECT_EQ(T.Sites[T.Host.Site[2]].File, "src/a.cu");
  EXPECT_EQ(T.Info.Pid, 99);
  ASSERT_EQ(T.Devices.size(), 1u);
  EXPECT_EQ(T.Devices[0].Name, "NVIDIA H200");
}

} // namespace

TEST_F(Repeat, WhatFollowsIsReadableAlone) {
  step(100, 1);
  size_t Before = written().size();
  T->repeat();
  step(500, 2);
  std::string Whole = written();
  trace::Timeline Tail = read(Whole.substr(Before));
  expectStep(Tail);
  EXPECT_EQ(Tail.Unread.BytesSkipped, 0u);
  // Times are those of the whole trace.
  EXPECT_EQ(Tail.Host.Start[0], 500'000);
  trace::Timeline All = read(Whole);
  EXPECT_EQ(All.Ops.size(), 2u);
  EXPECT_EQ(All.Host.size(), 6u);
  EXPECT_EQ(All.Threads.size(), Tail.Threads.size());
  EXPECT_EQ(All.Sites.size(), Tail.Sites.size());
}

TEST_F(Repeat, CompressedTracesAreReadTheSame) {
  Compressor Packer;
  ASSERT_TRUE(Packer.open());
  T->compress(Packer);
  for (uint32_t I = 0; I < 300; ++I)
    step(100 + 20 * I, I + 1);
  written(); // The first flush is not compressed.
  size_t Before = written().size();
  uint64_t Raw = T->bytes();
  for (uint32_t I = 300; I < 600; ++I)
    step(100 + 20 * I, I + 1);
  Raw = T->bytes() - Raw;
  size_t Packed = written().size() - Before;
  EXPECT_LT(Packed * 3, Raw);
  size_t Repeated = written().size();
  T->repeat();
  step(50'000, 1000);
  std::string Whole = written();
  trace::Timeline All = read(Whole);
  EXPECT_EQ(All.Ops.size(), 601u);
  EXPECT_EQ(All.Host.size(), 3 * 601u);
  EXPECT_EQ(All.Unread.PacketsDamaged, 0u);
  EXPECT_EQ(All.Unread.BytesSkipped, 0u);
  expectStep(read(Whole.substr(Repeated)));
  expectStep(read(Whole.substr(Repeated - 10))); // A tail.
  // What a crash cuts off is one flush.
  trace::Timeline Cut = read(Whole.substr(0, Before + Packed / 2));
  EXPECT_EQ(Cut.Ops.size(), 300u);
  EXPECT_EQ(Cut.Unread.BytesDropped, Packed / 2);
  // Damage inside of a compressed packet.
  Whole[Before + Packed / 2] ^= 0x55;
  EXPECT_GE(read(Whole).Unread.PacketsDamaged, 1u);
}

// `tail -c N` cuts anywhere: reading begins at the next repeat.
TEST_F(Repeat, ATailBeginsAnywhere) {
  step(100, 1);
  size_t Before = written().size();
  T->repeat();
  step(500, 2);
  std::string Whole = written();
  for (size_t Cut = 1; Cut <= Before; ++Cut) {
    trace::Timeline Tail = read(Whole.substr(Cut));
    expectStep(Tail);
    EXPECT_EQ(Tail.Unread.BytesSkipped, Before - Cut) << Cut;
    EXPECT_EQ(Tail.Unread.PacketsDamaged, 0u) << Cut;
  }
}

TEST_F(Repeat, TheLastDocumentHolds) {
  T->standing("process", 0, "{\"pid\":99,\"mode\":\"light\"}");
  size_t Before = written().size();
  T->repeat();
  step(500, 2);
  EXPECT_EQ(read(written().substr(Before)).Info.Mode, "light");
}

TEST_F(Repeat, WindowsAreNotCountedTwice) {
  T->standing("window", 1, "{\"open\":true,\"at_ns\":10,\"plan\":\"p\"}");
  T->standing("window", 2, "{\"open\":false,\"at_ns\":20,\"plan\":\"p\"}");
  T->standing("window", 3, "{\"open\":true,\"at_ns\":30,\"plan\":\"p\"}");
  size_t Before = written().size();
  T->repeat();
  T->standing("window", 4, "{\"open\":false,\"at_ns\":40,\"plan\":\"p\"}");
  std::string Whole = written();
  for (const std::string &Bytes : {Whole, Whole.substr(Before)}) {
    trace::Timeline Read = read(Bytes);
    ASSERT_EQ(Read.Recorded.List.size(), 2u);
    EXPECT_EQ(Read.Recorded.List[0].End, 20);
    EXPECT_EQ(Read.Recorded.List[1].Start, 30);
    EXPECT_EQ(Read.Recorded.List[1].End, 40);
  }
}

// A thread that has ended keeps its name.
TEST_F(Repeat, NamesOfThreadsStay) {
  uint32_t Self = static_cast<uint32_t>(gettid());
  T->probe(Self, 0xc1, Zero + 1000, Zero + 2000);
  size_t Before = written().size();
  T->repeat();
  T->probe(Self, 0xc1, Zero + 3000, Zero + 4000);
  trace::Timeline Tail = read(written().substr(Before));
  ASSERT_EQ(Tail.Threads.size(), 1u);
  EXPECT_FALSE(Tail.Threads[0].Name.empty());
}

// Times are written as what is added to the one before, in their order or not.
TEST_F(Repeat, TimesAreExactInAnyOrder) {
  using Span = std::pair<int64_t, int64_t>;
  std::set<Span> Calls, Operations;
  auto Call = [&](int64_t Begin, int64_t End) {
    T->probe(99, 0xc1, Zero + Begin, Zero + End);
    Calls.insert({Begin, End});
  };
  auto Operation = [&](uint32_t Stream, int64_t Begin, int64_t End) {
    decode(*D, kernel("k", Stream, Zero + Begin, Zero + End, 1));
    Operations.insert({Begin, End});
  };
  Call(100, 101);
  Call(300'000'000'000, 300'000'000'000); // Of no length, after long.
  Call(200, 290);                         // Before what was written.
  Call(150, 299'999'999'999);
  for (uint32_t Stream = 1; Stream < 100; ++Stream) // More than have their own.
    for (int64_t At : {5000, 7000, 6000})
      Operation(Stream, At + Stream, At + 500);
  T->clockSnapshot();
  Call(300'000'000'001, 300'000'000'002);
  T->repeat();
  Call(300'000'000'003, 300'000'000'009); // Before the clocks that it states.
  Operation(1, 8000, 9000);
  trace::Timeline All = read(written());
  std::set<Span> FoundCalls, FoundOperations;
  for (size_t I = 0; I < All.Host.size(); ++I)
    FoundCalls.insert({All.Host.Start[I], All.Host.End[I]});
  for (size_t I = 0; I < All.Ops.size(); ++I)
    FoundOperations.insert({All.Ops.Start[I], All.Ops.End[I]});
  EXPECT_EQ(FoundCalls, Calls);
  EXPECT_EQ(FoundOperations, Operations);
  EXPECT_EQ(All.Queues.size(), 99u);
}

// What was added in a packet that cannot be read is not known: later times of
// the sequence are left out, and not given wrongly, until they are whole again.
TEST_F(Repeat, DamageShiftsNoTimes) {
  T->probe(99, 0xc1, Zero + 1000, Zero + 2000);
  size_t Before = written().size();
  T->probe(99, 0xc1, Zero + 3000, Zero + 4000);
  T->probe(99, 0xc1, Zero + 5000, Zero + 6000);
  T->probe(98, 0xc1, Zero + 5500, Zero + 6500);
  T->repeat();
  T->probe(99, 0xc1, Zero + 7000, Zero + 8000);
  std::string Whole = written();
  EXPECT_EQ(read(Whole).Host.size(), 5u);
  size_t Event = Whole.find('\x5a', Before + 5); // Field 11: track_event.
  Whole[Event + 1] = '\x7f';                     // Longer than its packet.
  trace::Timeline Damaged = read(Whole);
  std::multiset<int64_t> Starts(Damaged.Host.Start.begin(),
                                Damaged.Host.Start.end());
  EXPECT_EQ(Starts, (std::multiset<int64_t>{1000, 5500, 7000}));
  EXPECT_EQ(Damaged.Unread.PacketsDamaged, 1u);
  EXPECT_EQ(Damaged.Unread.EventsInvalid, 3u);
}
