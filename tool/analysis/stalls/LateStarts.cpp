// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/stalls/Gaps.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::None;
using trace::SyncType;

namespace {

// See docs/model.md, "Queued, but started late".
constexpr int64_t TimesUsual = 10, LongestLimit = 100'000;

/// Above are the keys that llvm::DenseMap reserves, and None.
constexpr uint32_t LastStream = ~0u - 1;

} // namespace

LateStarts::LateStarts(const trace::Timeline &T) : T(T), Usual(T) {
  for (uint32_t I = 0; I < T.Syncs.size(); ++I)
    if (T.Syncs[I].Type == SyncType::StreamWaitEvent &&
        T.Syncs[I].Stream < LastStream)
      EventWaits[T.Syncs[I].Stream].push_back(I);
}

int64_t LateStarts::limit(const Gap &G) const {
  auto Kind = [this](uint32_t Op) { return T.Stages[T.Ops.Stage[Op]].Kind; };
  const Succession Pair{changesEngine(Kind(G.Previous), Kind(G.Next)), 0};
  // Pauses::Range::Long is twice the median.
  return std::clamp(TimesUsual * Usual.of(Pair).Long / 2, ShortestLimit,
                    LongestLimit);
}

/// The last record that lets the next operation's stream wait, if it was made
/// after the launch of the stream's operation before; None: there is none.
uint32_t LateStarts::findEventWait(const Gap &G) {
  if (OpsOfQueue.empty()) {
    OpsOfQueue.resize(T.Queues.size());
    for (uint32_t I = 0; I < T.Ops.size(); ++I)
      OpsOfQueue[T.Ops.Queue[I]].push_back(I);
  }
  const trace::Queue &Q = T.Queues[T.Ops.Queue[G.Next]];
  if (Q.Stream >= LastStream)
    return None;
  const std::vector<uint32_t> &Ops = OpsOfQueue[T.Ops.Queue[G.Next]];
  auto Next = llvm::lower_bound(Ops, G.Next);
  const uint32_t Before = Next == Ops.begin() ? None : *std::prev(Next);
  const uint32_t Earlier = Before == None ? None : T.Ops.Launch[Before];
  const int64_t From = Earlier == None ? T.begin() : T.Host.Start[Earlier],
                To = T.Host.Start[T.Ops.Launch[G.Next]];
  auto Found = EventWaits.find(Q.Stream);
  if (Found == EventWaits.end())
    return None;
  const std::vector<uint32_t> &Waits = Found->second;
  auto Last = llvm::partition_point(
      Waits, [&](uint32_t S) { return T.Syncs[S].Start < To; });
  while (Last != Waits.begin()) {
    const trace::SyncRecord &S = T.Syncs[*--Last];
    if (S.Start < From)
      break;
    if (S.Context == None || S.Context == Q.Context)
      return *Last;
  }
  return None;
}

bool LateStarts::isStillCopying(const Gap &G) const {
  const uint32_t Launch = T.Ops.Launch[G.Next];
  const int64_t During = std::min(G.End, T.Host.End[Launch]) -
                         std::max(G.Start, T.Host.Start[Launch]);
  return T.Stages[T.Ops.Stage[G.Next]].Kind == trace::OpKind::Copy &&
         2 * During >= G.End - G.Start;
}

LateStart LateStarts::explain(const Gap &G) {
  if (G.End - G.Start <= limit(G))
    return {};
  const uint32_t Launch = T.Ops.Launch[G.Next];
  if (isStillCopying(G))
    return {LateReason::Copying, Launch};
  const uint32_t Wait = findEventWait(G);
  if (Wait != None)
    return {LateReason::Event, T.Syncs[Wait].Call};
  return {LateReason::Unknown, None};
}
