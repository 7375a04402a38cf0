// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/replay/Order.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Timeline;

namespace {

/// So many events are enough to tell, and so many threads are looked at.
constexpr double LeastExpected = 20;
constexpr uint64_t LeastSwitches = 20;
constexpr size_t MostThreads = 16;
/// A thread with fewer calls than this part of the busiest one's is left out.
constexpr uint64_t LeastPart = 50;
/// "Far less often": of what independent threads do.
constexpr double MostShare = 0.05;

struct ThreadCalls {
  uint32_t Thread = 0;
  int64_t First = 0, Last = 0; ///< From its first call to its last one, ns.
  uint64_t Count = 0;
  int64_t Inside = 0; ///< ns, within the common span.
  int64_t Until = 0;  ///< When its latest call ends.
};

bool isOuter(const Timeline &T, const Attribution &A, uint32_t Call) {
  return T.Host.isCall(Call) && A.Outer[Call] == Call;
}

std::vector<ThreadCalls> findThreads(const Timeline &T, const Attribution &A,
                                     const std::vector<bool> &InPlay) {
  const trace::HostEvents &H = T.Host;
  std::vector<ThreadCalls> All(T.Threads.size());
  uint64_t Most = 0;
  for (uint32_t I = 0; I < H.size(); ++I) {
    if (!isOuter(T, A, I) || !InPlay[H.Thread[I]])
      continue;
    ThreadCalls &One = All[H.Thread[I]];
    if (!One.Count++)
      One.First = H.Start[I];
    One.Thread = H.Thread[I];
    One.Last = std::max(One.Last, H.End[I]);
    Most = std::max(Most, One.Count);
  }
  llvm::erase_if(All, [Most](const ThreadCalls &One) {
    return !One.Count || One.Count * LeastPart < Most;
  });
  return All;
}

/// For two threads: how often one began a call while the other was in one, and
/// how often one followed the other.
struct PairCounts {
  uint64_t Overlaps = 0, Switches = 0;
};
/// By the indices of the threads, the lower one first.
using Pairs = std::map<std::pair<size_t, size_t>, PairCounts>;

/// In the common span of the threads.
Pairs countPairs(const Timeline &T, const Attribution &A,
                 std::vector<ThreadCalls> &Threads, const trace::Window &Span) {
  const trace::HostEvents &H = T.Host;
  Pairs Result;
  std::vector<size_t> Index(T.Threads.size(), Threads.size());
  for (size_t I = 0; I < Threads.size(); ++I) {
    Index[Threads[I].Thread] = I;
    Threads[I].Count = 0;
  }
  size_t Previous = Threads.size();
  for (uint32_t I = 0; I < H.size(); ++I) {
    const size_t Own = Index[H.Thread[I]];
    if (Own == Threads.size() || !isOuter(T, A, I) || H.Start[I] < Span.Start ||
        H.Start[I] >= Span.End)
      continue;
    for (size_t Other = 0; Other < Threads.size(); ++Other)
      if (Other != Own && Threads[Other].Until > H.Start[I])
        ++Result[std::minmax(Own, Other)].Overlaps;
    if (Previous != Threads.size() && Previous != Own)
      ++Result[std::minmax(Own, Previous)].Switches;
    Previous = Own;
    ThreadCalls &One = Threads[Own];
    ++One.Count;
    One.Inside += std::min(H.End[I], Span.End) - H.Start[I];
    One.Until = H.End[I];
  }
  return Result;
}

/// Whether these two are in calls at different times, and not by chance.
bool alternate(const ThreadCalls &X, const ThreadCalls &Y,
               const PairCounts &Both, const trace::Window &Span) {
  const auto Length = double(Span.End - Span.Start);
  const double Expected = double(X.Count) * double(Y.Inside) / Length +
                          double(Y.Count) * double(X.Inside) / Length;
  return Expected >= LeastExpected && Both.Switches >= LeastSwitches &&
         double(Both.Overlaps) <= MostShare * Expected;
}

} // namespace

bool autoprof::analysis::takeTurns(const Timeline &T, const Attribution &A,
                                   const std::vector<bool> &InPlay) {
  std::vector<ThreadCalls> Threads = findThreads(T, A, InPlay);
  if (Threads.size() < 2 || Threads.size() > MostThreads)
    return false;
  trace::Window Span{Threads[0].First, Threads[0].Last};
  for (const ThreadCalls &One : Threads)
    Span = {std::max(Span.Start, One.First), std::min(Span.End, One.Last)};
  if (Span.Start >= Span.End)
    return false;
  Pairs Counts = countPairs(T, A, Threads, Span);
  for (size_t I = 0; I < Threads.size(); ++I)
    for (size_t J = I + 1; J < Threads.size(); ++J)
      if (!alternate(Threads[I], Threads[J], Counts[{I, J}], Span))
        return false;
  return true;
}
