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
    Thread &One = Threads[Index];
    auto Give = [&](int64_t To) {
      uint32_t Range = One.Ranges.empty() ? None : One.Ranges.back();
      if (To > One.Done)
        Use({Index, One.Done, To, Range, One.Call});
      One.Done = std::max(One.Done, To);
    };
    if (One.Call != None && H.End[One.Call] <= Time) {
      Give(H.End[One.Call]);
      One.Call = None;
    }
    while (!One.Ranges.empty() && H.End[One.Ranges.back()] <= Time) {
      Give(H.End[One.Ranges.back()]);
      One.Ranges.pop_back();
    }
    // Before its first slice nothing is known of a thread.
    if (One.Begun)
      Give(Time);
    One.Begun = true;
    One.Done = Time;
  }

  void open(uint32_t I, bool IsCall) {
    advance(H.Thread[I], H.Start[I]);
    Thread &One = Threads[H.Thread[I]];
    if (IsCall)
      One.Call = I;
    else
      One.Ranges.push_back(I);
  }

  void finish() {
    for (uint32_t I = 0; I < Threads.size(); ++I) {
      const Thread &One = Threads[I];
      int64_t Last = One.Call == None ? One.Done : H.End[One.Call];
      if (!One.Ranges.empty())
        Last = std::max(Last, H.End[One.Ranges.front()]);
      advance(I, Last);
    }
  }
};

} // namespace

void autoprof::analysis::forEachHostSegment(
    const trace::Timeline &T, const Attribution &A,
    llvm::function_ref<void(const HostSegment &)> Use) {
  const trace::HostEvents &H = T.Host;
  Sweep S(T, Use);
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
