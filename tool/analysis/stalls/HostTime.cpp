// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/stalls/HostTime.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::HostKind;
using trace::None;

namespace {

/// One thread while the sweep goes on.
struct Thread {
  llvm::SmallVector<uint32_t, 4> Ranges; ///< Open ones, innermost last.
  uint32_t Call = None;                  ///< The open one.
  bool Begun = false;
  int64_t Done = 0; ///< Once begun: segments have been given up to here.
};

class Sweep {
  const trace::HostEvents &H;
  llvm::function_ref<void(const HostSegment &)> Use;
  std::vector<Thread> Threads;

public:
  Sweep(const trace::Timeline &T,
        llvm::function_ref<void(const HostSegment &)> Use)
      : H(T.Host), Use(Use), Threads(T.Threads.size()) {}

  /// Gives what the thread did up to `Time`, and closes what ended by then.
  void advance(uint32_t Index, int64_t Time) {
    Thread &Th = Threads[Index];
    auto Give = [&](int64_t End) {
      uint32_t Range = Th.Ranges.empty() ? None : Th.Ranges.back();
      if (End > Th.Done)
        Use({Index, Th.Done, End, Range, Th.Call});
      Th.Done = std::max(Th.Done, End);
    };
    if (Th.Call != None && H.End[Th.Call] <= Time) {
      Give(H.End[Th.Call]);
      Th.Call = None;
    }
    while (!Th.Ranges.empty() && H.End[Th.Ranges.back()] <= Time) {
      Give(H.End[Th.Ranges.back()]);
      Th.Ranges.pop_back();
    }
    // Before its first slice nothing is known of a thread.
    if (Th.Begun)
      Give(Time);
    Th.Begun = true;
    Th.Done = Time;
  }

  void open(uint32_t I, bool IsCall) {
    advance(H.Thread[I], H.Start[I]);
    Thread &Th = Threads[H.Thread[I]];
    if (IsCall)
      Th.Call = I;
    else
      Th.Ranges.push_back(I);
  }

  void finish() {
    for (uint32_t I = 0; I < Threads.size(); ++I) {
      const Thread &Th = Threads[I];
      int64_t Last = Th.Call == None ? Th.Done : H.End[Th.Call];
      if (!Th.Ranges.empty())
        Last = std::max(Last, H.End[Th.Ranges.front()]);
      advance(I, Last);
    }
  }
};

} // namespace

void autoprof::analysis::forEachHostSegment(
    const trace::Timeline &T, const Attribution &A, const WorkOwners &Owners,
    llvm::function_ref<void(const HostSegment &)> Use) {
  const trace::HostEvents &H = T.Host;
  auto UseInRange = [&](const HostSegment &S) {
    if (S.Range != None)
      return Use(S);
    Owners.forEachRange(S.Thread, S.From, S.To,
                        [&](int64_t From, int64_t To, uint32_t Range) {
                          Use({S.Thread, From, To, Range, S.Call});
                        });
  };
  Sweep S(T, UseInRange);
  for (uint32_t I = 0; I < H.size(); ++I) {
    if (T.Threads[H.Thread[I]].IsLane)
      continue;
    if (H.Kind[I] == HostKind::Range)
      S.open(I, /*IsCall=*/false);
    else if (A.Outer[I] == I)
      S.open(I, /*IsCall=*/true);
  }
  S.finish();
}
