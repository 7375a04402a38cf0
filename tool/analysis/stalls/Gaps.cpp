// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/stalls/Gaps.h"

#include "analysis/common/Windows.h"

#include <algorithm>
#include <map>

using namespace autoprof::analysis;
using autoprof::trace::HostEvents;
using autoprof::trace::None;
using autoprof::trace::Overhead;
using autoprof::trace::OverheadKind;
using autoprof::trace::Timeline;
using autoprof::trace::Window;

namespace {

class Explainer {
  const Timeline &T;
  /// By thread: when it was in calls that queue work, in order.
  std::vector<std::vector<Window>> Queuing;
  std::map<OverheadKind, std::vector<Window>> Overheads; ///< Likewise.

public:
  Explainer(const Timeline &T, const Attribution &A);
  Cause explain(const Gap &G, int64_t From) const;
};

Explainer::Explainer(const Timeline &T, const Attribution &A)
    : T(T), Queuing(T.Threads.size()) {
  for (const Overhead &O : T.Overheads) // Sorted by start.
    append(Overheads[O.Kind], {O.Start, O.End});
  const HostEvents &H = T.Host;
  for (uint32_t Op : T.LaunchOrder)
    if (const uint32_t Call = T.Ops.Launch[Op]; A.Outer[Call] == Call)
      append(Queuing[H.Thread[Call]], {H.Start[Call], H.End[Call]});
}

/// Of a gap from `From` on. Before its first call, a thread was busy.
Cause Explainer::explain(const Gap &G, int64_t From) const {
  const uint32_t Launch = T.Ops.Launch[G.Next];
  if (Launch == None)
    return Cause::Unknown;
  if (wasQueued(T, G)) {
    if (G.End - G.Start > LongestPause)
      return Cause::QueuedLate;
    const bool OtherStream = T.Ops.Queue[G.Previous] != T.Ops.Queue[G.Next];
    return OtherStream ? Cause::InterStream : Cause::BackToBack;
  }
  const std::pair<OverheadKind, Cause> Recorded[] = {
      {OverheadKind::QueueFull, Cause::QueueFull},
      {OverheadKind::ModuleLoad, Cause::ModuleLoad},
      {OverheadKind::Profiler, Cause::Profiler}};
  for (auto [Kind, Found] : Recorded)
    if (const auto It = Overheads.find(Kind);
        It != Overheads.end() &&
        2 * overlap(It->second, From, G.End) >= G.End - From)
      return Found;
  const int64_t To = launchedBy(T, G);
  const int64_t Busy =
      To - From - overlap(Queuing[T.Host.Thread[Launch]], From, To);
  return 2 * Busy >= G.End - From ? Cause::HostBusy : Cause::LaunchBound;
}

} // namespace

int64_t autoprof::analysis::launchedBy(const Timeline &T, const Gap &G) {
  return std::min(G.End, T.Host.End[T.Ops.Launch[G.Next]]);
}

GapCauses
autoprof::analysis::explainGaps(const Timeline &T, const Attribution &A,
                                const std::vector<DeviceActivity> &Activity,
                                const Exposure &E) {
  const Explainer Gaps(T, A);
  GapCauses Result;
  for (size_t D = 0; D < Activity.size(); ++D) {
    std::vector<Cause> &Causes = Result.emplace_back();
    Causes.reserve(Activity[D].Gaps.size());
    llvm::ArrayRef<ExposedPart> Parts = E.Parts[D]; // In order of gaps.
    for (const Gap &G : Activity[D].Gaps) {
      int64_t From = G.Start;
      for (; !Parts.empty() && Parts[0].Gap == Causes.size();
           Parts = Parts.drop_front())
        From += Parts[0].Length;
      Causes.push_back(Gaps.explain(G, From));
    }
  }
  return Result;
}

void autoprof::analysis::forEachGapPart(
    const Idling &Idle, int64_t From, int64_t To,
    llvm::function_ref<void(const GapPart &)> Use) {
  for (size_t D = 0; D < Idle.Devices.size(); ++D) {
    const std::vector<Gap> &Gaps = Idle.Devices[D].Gaps;
    llvm::ArrayRef<ExposedPart> Parts = Idle.Stalls.Parts[D];
    for (uint32_t I = 0; I < Gaps.size(); ++I) {
      int64_t At = Gaps[I].Start;
      auto Give = [&](int64_t End, Cause Kind, uint32_t Wait) {
        int64_t First = std::max(At, From), Last = std::min(End, To);
        if (First < Last)
          Use({D, I, First, Last, Kind, Wait});
        At = End;
      };
      for (; !Parts.empty() && Parts.front().Gap == I;
           Parts = Parts.drop_front())
        Give(At + Parts.front().Length, Cause::ExposedWait, Parts.front().Wait);
      Give(Gaps[I].End, Idle.Causes[D][I], None);
    }
  }
}

std::vector<CauseTotal> autoprof::analysis::sumGaps(const Idling &I,
                                                    int64_t From, int64_t To) {
  std::vector<CauseTotal> Totals(NumCauses);
  forEachGapPart(I, From, To, [&](const GapPart &P) {
    ++Totals[unsigned(P.Kind)].Count;
    Totals[unsigned(P.Kind)].Total += P.End - P.Start;
  });
  return Totals;
}
