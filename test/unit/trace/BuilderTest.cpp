// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/timeline/TimelineBuilder.h"

#include <gtest/gtest.h>

using namespace autoprof::trace;

namespace {

/// Ten calls, and an operation for each of `OpIds`.
Timeline withIds(const std::vector<uint64_t> &CallIds,
                 const std::vector<uint64_t> &OpIds) {
  TimelineBuilder B;
  uint32_t Thread = B.addThread(1, "main"), Queue = B.queue(0, 1, 7);
  uint32_t Stage = B.addStage({});
  for (size_t I = 0; I < CallIds.size(); ++I)
    B.addHost(HostKind::Api, Thread, int64_t(I) * 10, int64_t(I) * 10 + 5, 0,
              None, CallIds[I]);
  for (size_t I = 0; I < OpIds.size(); ++I)
    B.addOp(Queue, Stage, 1000 + int64_t(I), 1001 + int64_t(I), OpIds[I]);
  return B.finish();
}

} // namespace

TEST(Builder, JoinsByEventIdWhateverItLooksLike) {
  std::vector<uint64_t> Counter, Shifted, Scattered;
  for (uint64_t I = 1; I <= 10; ++I) {
    Counter.push_back(I);
    Shifted.push_back(I << 12 | 0xabc);
    Scattered.push_back(I * 0x9e3779b97f4a7c15);
  }
  for (const auto &Ids : {Counter, Shifted, Scattered}) {
    Timeline T = withIds(Ids, {Ids[9], Ids[0], Ids[0] + 1'000'003, 0, Ids[4]});
    EXPECT_EQ(T.Ops.Launch, (std::vector<uint32_t>{9, 0, None, None, 4}));
    EXPECT_EQ(T.LaunchOrder, (std::vector<uint32_t>{1, 4, 0}));
  }
  // Between two known ids.
  Timeline T = withIds(Shifted, {Shifted[3] + 1});
  EXPECT_EQ(T.Ops.Launch, (std::vector<uint32_t>{None}));
}

TEST(Builder, SortsAndDropsWhatCannotBe) {
  TimelineBuilder B;
  uint32_t Thread = B.addThread(1, "main");
  B.addHost(HostKind::Api, Thread, 50, 60, 0);
  B.addHost(HostKind::Api, Thread, 10, 20, 0);
  B.addHost(HostKind::Range, Thread, 10, 90, 0);
  B.addHost(HostKind::Api, Thread, 70, 69, 0);
  Timeline T = B.finish();
  EXPECT_EQ(T.Host.Start, (std::vector<int64_t>{10, 10, 50}));
  EXPECT_EQ(T.Host.Kind[0], HostKind::Range); // The longer comes first.
  EXPECT_EQ(T.Unread.EventsInvalid, 1u);
  EXPECT_EQ(T.begin(), 10);
  EXPECT_EQ(T.end(), 90);
}

TEST(Builder, NumberedRangesShareASite) {
  // Three steps of three names each.
  auto SitesOf = [](std::vector<std::string> Names) {
    TimelineBuilder B;
    const uint32_t Thread = B.addThread(1, "main");
    for (size_t I = 0; I < Names.size(); ++I) {
      const uint32_t Name = B.T.Strings.intern(Names[I]);
      B.addHost(HostKind::Range, Thread, int64_t(I) * 10, int64_t(I) * 10 + 5,
                Name, B.userRange(0, Name));
    }
    const Timeline T = B.finish();
    std::vector<std::string> Result;
    for (size_t I = 0; I < T.Host.size(); ++I) {
      EXPECT_EQ(T.Strings[T.Host.Name[I]], Names[I]);
      Result.push_back(T.Sites[T.Host.Site[I]].Function);
    }
    return Result;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(SitesOf({"epoch 8", "epoch 9", "epoch 10"}), Texts(3, "epoch #"));
  EXPECT_EQ(SitesOf({"epoch 1", "epoch 2"}), Texts({"epoch 1", "epoch 2"}));
  EXPECT_EQ(SitesOf({"ProfilerStep#7"}), Texts({"ProfilerStep#"}));
  const Texts Layers{"layer 1", "layer 2", "layer 1", "layer 2"};
  EXPECT_EQ(SitesOf(Layers), Layers);
}
