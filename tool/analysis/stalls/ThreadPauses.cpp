// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/stalls/ThreadPauses.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::OpKind;
using trace::Timeline;

namespace {

/// What happens in the program, in order of time.
struct Event {
  enum Kind : uint8_t {
    Begins,  ///< An outermost call of the thread.
    Ends,    ///< The same.
    Queues,  ///< Any thread, an operation that ends at Until.
    Fetches, ///< Another thread.
    Launches ///< Another thread.
  };
  int64_t Time;
  Kind What;
  int64_t Until = 0; ///< ns
};

std::vector<Event> listEvents(const Timeline &T, const Attribution &A,
                              const std::vector<Wait> &Waits, uint32_t Thread) {
  const trace::HostEvents &H = T.Host;
  std::vector<Event> Events;
  for (uint32_t I = 0; I < H.size(); ++I)
    if (H.Thread[I] == Thread && H.isCall(I) && A.Outer[I] == I) {
      Events.push_back({H.Start[I], Event::Begins});
      Events.push_back({H.End[I], Event::Ends});
    }
  for (uint32_t Op : T.LaunchOrder) {
    const uint32_t Call = T.Ops.Launch[Op];
    const trace::Stage &S = T.Stages[T.Ops.Stage[Op]];
    Events.push_back({H.Start[Call], Event::Queues, T.Ops.End[Op]});
    if (H.Thread[Call] == Thread)
      continue;
    if (S.Kind == OpKind::Copy && S.Dir == trace::Direction::DtoH)
      Events.push_back({H.Start[Call], Event::Fetches});
    else if (S.Kind == OpKind::Kernel || S.Kind == OpKind::Graph)
      Events.push_back({H.Start[Call], Event::Launches});
  }
  for (const Wait &W : Waits)
    if (H.Thread[W.Call] != Thread)
      Events.push_back({H.End[W.Call], Event::Fetches});
  llvm::stable_sort(
      Events, [](const Event &A, const Event &B) { return A.Time < B.Time; });
  return Events;
}

} // namespace

std::vector<ThreadPause>
autoprof::analysis::findPauses(const Timeline &T, const Attribution &A,
                               const std::vector<Wait> &Waits,
                               uint32_t Thread) {
  std::vector<ThreadPause> Result;
  int64_t QueuedUntil = std::numeric_limits<int64_t>::min();
  ThreadPause Now;
  bool IsPending = false;
  for (const Event &E : listEvents(T, A, Waits, Thread))
    switch (E.What) {
    case Event::Begins:
      Now.When.End = E.Time;
      if (Now.Fetches || Now.Launches)
        Result.push_back(Now);
      break;
    case Event::Ends:
      Now = {{E.Time, E.Time}};
      IsPending = QueuedUntil > E.Time;
      break;
    case Event::Queues:
      QueuedUntil = std::max(QueuedUntil, E.Until);
      break;
    case Event::Fetches:
      Now.Fetches |= IsPending;
      break;
    case Event::Launches:
      Now.Launches = true;
      break;
    }
  return Result;
}
