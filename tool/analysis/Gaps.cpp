// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Gaps.h"

#include <algorithm>

using namespace autoprof::analysis;
using autoprof::trace::HostEvents;
using autoprof::trace::None;
using autoprof::trace::Overhead;
using autoprof::trace::OverheadKind;
using autoprof::trace::Timeline;

namespace {

int64_t overlap(int64_t A0, int64_t A1, int64_t B0, int64_t B1) {
  return std::max<int64_t>(0, std::min(A1, B1) - std::max(A0, B0));
}

class Explainer {
  const Timeline &T;
  const Attribution &A;
  const HostEvents &H;
  int64_t LongestOverhead = 0;

  int64_t overheadIn(const Gap &G, OverheadKind Kind) const;
  int64_t callTime(uint32_t Launch, int64_t From) const;

public:
  Explainer(const Timeline &T, const Attribution &A) : T(T), A(A), H(T.Host) {
    for (const Overhead &O : T.Overheads)
      LongestOverhead = std::max(LongestOverhead, O.End - O.Start);
  }
  Cause explain(const Gap &G) const;
};

int64_t Explainer::overheadIn(const Gap &G, OverheadKind Kind) const {
  int64_t Sum = 0;
  auto It = std::lower_bound(
      T.Overheads.begin(), T.Overheads.end(), G.Start - LongestOverhead,
      [](const Overhead &O, int64_t At) { return O.Start < At; });
  for (; It != T.Overheads.end() && It->Start < G.End; ++It)
    if (It->Kind == Kind)
      Sum += overlap(G.Start, G.End, It->Start, It->End);
  return Sum;
}

/// How long the launching thread was inside calls between `From` and the
/// start of `Launch`.
int64_t Explainer::callTime(uint32_t Launch, int64_t From) const {
  int64_t Sum = 0;
  for (uint32_t I = Launch; I-- > 0;) {
    if (H.Thread[I] != H.Thread[Launch] || A.Outer[I] != I)
      continue;
    Sum += overlap(From, H.Start[Launch], H.Start[I], H.End[I]);
    if (H.Start[I] <= From)
      break;
  }
  return Sum;
}

Cause Explainer::explain(const Gap &G) const {
  uint32_t Launch = T.Ops.Launch[G.Next];
  if (Launch == None)
    return Cause::Unknown;
  if (wasQueued(T, G)) {
    bool OtherStream = T.Ops.Queue[G.Previous] != T.Ops.Queue[G.Next];
    return OtherStream ? Cause::InterStream : Cause::BackToBack;
  }
  const std::pair<OverheadKind, Cause> Recorded[] = {
      {OverheadKind::QueueFull, Cause::QueueFull},
      {OverheadKind::ModuleLoad, Cause::ModuleLoad},
      {OverheadKind::Profiler, Cause::Profiler}};
  for (auto [Kind, Result] : Recorded)
    if (2 * overheadIn(G, Kind) >= G.End - G.Start)
      return Result;
  if (H.Start[Launch] <= G.Start)
    return Cause::LaunchBound;
  int64_t Late = H.Start[Launch] - G.Start;
  int64_t Outside = Late - callTime(Launch, G.Start);
  return 2 * Outside >= G.End - G.Start ? Cause::HostBusy : Cause::LaunchBound;
}

} // namespace

llvm::StringRef autoprof::analysis::name(Cause C) {
  constexpr llvm::StringLiteral Names[NumCauses] = {
      "exposed_wait", "queue_full",   "module_load",  "profiler", "host_busy",
      "launch_bound", "inter_stream", "back_to_back", "unknown"};
  return Names[unsigned(C)];
}

GapCauses
autoprof::analysis::explainGaps(const Timeline &T, const Attribution &A,
                                const std::vector<DeviceActivity> &Activity,
                                const Exposure &E) {
  GapCauses Result(Activity.size());
  Explainer X(T, A);
  for (size_t D = 0; D < Activity.size(); ++D)
    for (size_t I = 0; I < Activity[D].Gaps.size(); ++I)
      Result[D].push_back(E.WaitOfGap[D][I] != None
                              ? Cause::ExposedWait
                              : X.explain(Activity[D].Gaps[I]));
  return Result;
}

std::vector<CauseTotal>
autoprof::analysis::sumGaps(const std::vector<DeviceActivity> &Activity,
                            const GapCauses &Causes, int64_t From, int64_t To) {
  std::vector<CauseTotal> Totals(NumCauses);
  for (size_t D = 0; D < Activity.size(); ++D)
    for (size_t I = 0; I < Activity[D].Gaps.size(); ++I) {
      const Gap &G = Activity[D].Gaps[I];
      int64_t Inside = overlap(G.Start, G.End, From, To);
      CauseTotal &Sum = Totals[unsigned(Causes[D][I])];
      Sum.Count += Inside > 0;
      Sum.Total += Inside;
    }
  return Totals;
}
