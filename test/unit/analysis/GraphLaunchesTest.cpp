// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps that are replays of a CUDA graph, recorded as one operation for each
// launch or node by node.
#include "Simulator.h"

#include "analysis/Analysis.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Costs;
using test::Simulator;

namespace {

constexpr size_t StepCount = 30;
constexpr int64_t GraphNs = 100'000;

/// Steps of a graph, a loss that is read back and printed.
void replay(Simulator &S, unsigned Nodes) {
  const uint32_t Stream = S.stream(7, StreamFlag::Null),
                 Loop = S.site(0x1, "loop", 10, "");
  for (size_t I = 0; I < StepCount; ++I) {
    S.enter(HostKind::Range, Loop);
    S.launchGraph(Stream, GraphNs, Nodes);
    S.readBack(Stream);
    S.work(10'000);
    S.leave();
  }
  S.call("cudaGetLastError", 100);
}

Result analysed(Costs C, unsigned Nodes) {
  Simulator S(C);
  replay(S, Nodes);
  Timeline T = S.finish();
  T.Info.Mode = "full";
  return llvm::cantFail(analyse(T));
}

/// What not to read back saves.
int64_t truth(Costs C) {
  Simulator With(C), Without(C);
  Without.Dropped = "cudaMemcpy";
  replay(With, 0);
  replay(Without, 0);
  return With.end() - Without.end();
}

const WhatIfRow *removal(const Result &R) {
  for (const WhatIfRow &Row : R.WhatIfs.Answers)
    if (Row.Kind == Edit::Remove && Row.Rows.size() == 1)
      return &Row;
  return nullptr;
}

} // namespace

TEST(GraphLaunches, AreOneOperationEach) {
  Result R = analysed({}, 0);
  EXPECT_EQ(R.Graphs.Whole, StepCount);
  EXPECT_EQ(R.Graphs.ByNode, 0u);
  ASSERT_FALSE(R.Kernels.empty());
  EXPECT_EQ(R.Steps.List.size(), StepCount);
  EXPECT_GE(R.Devices[0].Busy, int64_t(StepCount) * GraphNs);
}

// With 100 nodes, a launch takes 14 us recorded and 2.5 us else (H100).
TEST(GraphLaunches, RecordingThemMayTakeLongerThanOtherLaunches) {
  Costs Recorded;
  Recorded.Launch = 14'000;
  Recorded.Latency = 16'000;
  Result R = analysed(Recorded, 0);
  const WhatIfRow *Row = removal(R);
  ASSERT_TRUE(Row && Row->Unrecorded);
  const auto Steps = int64_t(R.InSteps->Count);
  const int64_t Truth = truth({}) / int64_t(StepCount);
  EXPECT_GT(Truth, 0);
  // Everything that is assumed is at its extreme here, which no estimate
  // supposes.
  EXPECT_LE(Row->Unrecorded->Low / Steps - resolution(0), Truth);
  EXPECT_GE(Row->Unrecorded->High / Steps, Truth);
}

TEST(GraphLaunches, WhatRecordingNodesCostsIsNotKnown) {
  Costs Recorded;
  Recorded.Launch = 110'000;
  Result R = analysed(Recorded, 100);
  EXPECT_EQ(R.Graphs.Whole, 0u);
  EXPECT_EQ(R.Graphs.ByNode, StepCount);
  const WhatIfRow *Row = removal(R);
  ASSERT_TRUE(Row);
  EXPECT_FALSE(Row->Unrecorded);
}
