// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/WorkOwners.h"

#include "catalogue/LibraryTraits.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::HostEvents;
using trace::HostKind;
using trace::None;
using trace::Timeline;

namespace {

/// The share of a helper's calls that must be made in handovers.
constexpr double MinShare = 0.9;
/// An independent thread would make at least this many calls outside of
/// handovers, where a helper makes next to none. Fewer prove nothing.
constexpr double MinExpected = 10, MaxOutside = 0.1;
constexpr uint64_t MinCalls = 16;
/// The share of handovers that must be at a place that occurs this often.
constexpr double MinAtPlaces = 0.5;
constexpr uint64_t MinRepeats = 3;
/// With more pairs of threads than this, none is examined.
constexpr size_t MaxPairs = 4096;

/// A thread that has ranges.
struct Owner {
  uint32_t Thread;
  llvm::SmallVector<uint32_t, 8> Ranges; ///< Open ones.
  int64_t First = 0, Silent = 0;         ///< Its first event; silent since.
  bool Begun = false;
  /// Its place in the code: calls since its last range began or ended.
  uint32_t Calls = 0;
};

/// What one thread does in the silences of another.
struct Pair {
  // In the current silence:
  uint64_t Calls = 0;
  int64_t First = 0, Last = 0; ///< Start of the first call, end of the last.
  // In all handovers:
  uint64_t Inside = 0;
  int64_t Time = 0; ///< Of the silences.
  uint64_t Handovers = 0;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint64_t> Places;
};

class Search {
  const Timeline &T;
  const HostEvents &H;
  std::vector<Owner> Owners;
  std::vector<uint32_t> Helpers;           ///< Threads without ranges.
  std::vector<uint32_t> OwnerOf, HelperOf; ///< By thread: into these, or None.
  std::vector<uint64_t> Calls;             ///< Of Helpers.
  std::vector<int64_t> Busy;               ///< Of Helpers: in a call until.
  std::vector<Pair> Pairs;                 ///< By owner, then helper.

  Pair *pairsOf(uint32_t OwnerIndex) {
    return Pairs.data() + size_t(OwnerIndex) * Helpers.size();
  }
  void findThreads();
  void endSilence(uint32_t Index, int64_t Time);
  void closeUntil(uint32_t Index, int64_t Time);
  void ownerEvent(uint32_t Event);
  void helperCall(uint32_t Event);
  bool isHelper(uint32_t Owner, uint32_t Helper) const;

public:
  explicit Search(const Timeline &T) : T(T), H(T.Host) {}
  std::vector<Handover> run();
};

void Search::findThreads() {
  std::vector<bool> HasRanges(T.Threads.size()), HasCalls(T.Threads.size());
  // NCCL marks its calls in whatever thread makes them.
  auto IsOfLibrary = [this](uint32_t Range) {
    if (H.Site[Range] == None || !T.Sites[H.Site[Range]].isUserRange())
      return false;
    const trace::Site &S = T.Sites[H.Site[Range]];
    return catalogue::isLibraryRange(S.Callee, S.Function);
  };
  for (uint32_t I = 0; I < H.size(); ++I) {
    if (H.Kind[I] != HostKind::Range)
      HasCalls[H.Thread[I]] = true;
    else if (!HasRanges[H.Thread[I]] && !IsOfLibrary(I))
      HasRanges[H.Thread[I]] = true;
  }
  OwnerOf.assign(T.Threads.size(), None);
  HelperOf.assign(T.Threads.size(), None);
  for (uint32_t I = 0; I < T.Threads.size(); ++I) {
    if (T.Threads[I].IsLane)
      continue;
    if (HasRanges[I]) {
      OwnerOf[I] = Owners.size();
      Owners.emplace_back().Thread = I;
    } else if (HasCalls[I]) {
      HelperOf[I] = Helpers.size();
      Helpers.push_back(I);
    }
  }
}

/// The owner is active at `Time`.
void Search::endSilence(uint32_t Index, int64_t Time) {
  Owner &O = Owners[Index];
  for (size_t I = 0; I < Helpers.size(); ++I) {
    Pair &P = pairsOf(Index)[I];
    if (!P.Calls)
      continue;
    int64_t Length = Time - O.Silent;
    // It fills most of the silence, and ends in it: the owner waits for it.
    if (P.Last <= Time && 2 * (P.Last - P.First) >= Length) {
      P.Inside += P.Calls;
      P.Time += Length;
      ++P.Handovers;
      uint32_t Range = O.Ranges.empty() ? None : H.Site[O.Ranges.back()];
      ++P.Places[{Range, O.Calls}];
    }
    P.Calls = 0;
  }
  O.Silent = std::max(O.Silent, Time);
}

void Search::closeUntil(uint32_t Index, int64_t Time) {
  Owner &O = Owners[Index];
  while (!O.Ranges.empty() && H.End[O.Ranges.back()] <= Time) {
    endSilence(Index, H.End[O.Ranges.back()]);
    O.Ranges.pop_back();
    O.Calls = 0;
  }
}

void Search::ownerEvent(uint32_t Event) {
  uint32_t Index = OwnerOf[H.Thread[Event]];
  closeUntil(Index, H.Start[Event]);
  Owner &O = Owners[Index];
  if (!O.Begun) {
    O.Begun = true;
    O.First = O.Silent = H.Start[Event];
  }
  if (H.Start[Event] >= O.Silent)
    endSilence(Index, H.Start[Event]);
  if (H.Kind[Event] == HostKind::Range) {
    O.Ranges.push_back(Event);
    O.Calls = 0;
    return;
  }
  O.Calls += H.isCall(Event);
  O.Silent = std::max(O.Silent, H.End[Event]);
}

/// Of calls inside a call only the outermost counts.
void Search::helperCall(uint32_t Event) {
  uint32_t Index = HelperOf[H.Thread[Event]];
  if (!H.isCall(Event) || H.Start[Event] < Busy[Index])
    return;
  Busy[Index] = H.End[Event];
  ++Calls[Index];
  for (uint32_t I = 0; I < Owners.size(); ++I) {
    closeUntil(I, H.Start[Event]);
    if (!Owners[I].Begun || H.Start[Event] < Owners[I].Silent)
      continue;
    Pair &P = pairsOf(I)[Index];
    if (!P.Calls++)
      P.First = H.Start[Event];
    P.Last = H.End[Event];
  }
}

bool Search::isHelper(uint32_t OwnerIndex, uint32_t HelperIndex) const {
  const Pair &P = Pairs[OwnerIndex * Helpers.size() + HelperIndex];
  const Owner &O = Owners[OwnerIndex];
  const double Inside = double(P.Inside), All = double(Calls[HelperIndex]);
  if (P.Inside < MinCalls || Inside < MinShare * All)
    return false;
  const double Expected = Inside * double(O.Silent - O.First - P.Time) /
                          double(std::max<int64_t>(1, P.Time));
  if (Expected < MinExpected || All - Inside > MaxOutside * Expected)
    return false;
  uint64_t Repeated = 0;
  for (const auto &[Place, Count] : P.Places)
    Repeated += Count >= MinRepeats ? Count : 0;
  return double(Repeated) >= MinAtPlaces * double(P.Handovers);
}

std::vector<Handover> Search::run() {
  findThreads();
  if (Owners.empty() || Helpers.empty() ||
      Owners.size() * Helpers.size() > MaxPairs)
    return {};
  Calls.resize(Helpers.size());
  Busy.resize(Helpers.size());
  Pairs.resize(Owners.size() * Helpers.size());
  for (uint32_t I = 0; I < H.size(); ++I) {
    if (OwnerOf[H.Thread[I]] != None)
      ownerEvent(I);
    else if (HelperOf[H.Thread[I]] != None)
      helperCall(I);
  }
  for (uint32_t I = 0; I < Owners.size(); ++I)
    closeUntil(I, T.end());
  std::vector<Handover> Result;
  for (uint32_t Helper = 0; Helper < Helpers.size(); ++Helper) {
    // Of several owners, the one whose silences fit best.
    uint32_t Best = None;
    for (uint32_t I = 0; I < Owners.size(); ++I)
      if (isHelper(I, Helper) &&
          (Best == None ||
           pairsOf(I)[Helper].Time < pairsOf(Best)[Helper].Time))
        Best = I;
    if (Best != None)
      Result.push_back({Helpers[Helper], Owners[Best].Thread});
  }
  return Result;
}

} // namespace

std::vector<Handover> autoprof::analysis::findHandovers(const Timeline &T) {
  return Search(T).run();
}
