// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/steps/StepCandidates.h"

#include "analysis/common/Sorting.h"
#include "analysis/common/WorkOwners.h"
#include "analysis/steps/GpuWork.h"
#include "catalogue/LibraryTraits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::HostEvents;
using trace::None;
using trace::Timeline;

using Candidates = std::vector<const StepCandidate *>;

namespace {

enum class Origin { Loops, Code, UserRanges };

bool isAmong(const trace::Site &S, Origin Wanted) {
  switch (Wanted) {
  case Origin::Loops:
    return S.Kind == "loop";
  case Origin::Code:
    return !S.isUserRange();
  case Origin::UserRanges:
    return S.isUserRange() && !catalogue::isLibraryRange(S.Callee, S.Function);
  }
  return false;
}

/// Whether a run of one of these contains the range.
bool isInside(const Timeline &T, uint32_t Range,
              llvm::ArrayRef<const StepCandidate *> Outer) {
  const HostEvents &H = T.Host;
  return llvm::any_of(Outer, [&](const StepCandidate *C) {
    if (C->Thread != H.Thread[Range] && !T.Threads[C->Thread].IsLane)
      return false;
    // The last run that begins at or before the range; runs do not overlap.
    const auto After = llvm::upper_bound(
        C->Ranges, H.Start[Range],
        [&H](int64_t Time, uint32_t Run) { return Time < H.Start[Run]; });
    return After != C->Ranges.begin() &&
           H.End[*std::prev(After)] >= H.End[Range];
  });
}

bool areMostInside(const Timeline &T, const StepCandidate &C,
                   llvm::ArrayRef<const StepCandidate *> Outer) {
  constexpr size_t MostAsked = 1'000; // Of a million runs, a sample.
  const size_t Every = C.Ranges.size() / MostAsked + 1;
  size_t Asked = 0, Inside = 0;
  for (size_t I = 0; I < C.Ranges.size(); I += Every) {
    ++Asked;
    Inside += isInside(T, C.Ranges[I], Outer);
  }
  return 2 * Inside > Asked;
}

class Finder {
  const Timeline &T;
  llvm::ArrayRef<StepCandidate> All;
  int64_t GpuTime = 0; ///< ns, of the recording.

  bool isLarge(const StepCandidate &C) const;
  Candidates outermost(Origin Wanted) const;

public:
  Finder(const Timeline &T, llvm::ArrayRef<StepCandidate> All);
  Candidates find(double Share, Origin Wanted) const;
};

Finder::Finder(const Timeline &T, llvm::ArrayRef<StepCandidate> All)
    : T(T), All(All) {
  for (uint32_t I = 0; I < T.Ops.size(); ++I)
    GpuTime += T.Ops.End[I] - T.Ops.Start[I];
}

/// Whether it holds a hundredth of the GPU's work, or of the time.
bool Finder::isLarge(const StepCandidate &C) const {
  return (C.GpuTime || !GpuTime) && (100 * C.GpuTime >= GpuTime ||
                                     100 * C.HostTime >= T.end() - T.begin());
}

/// What is not inside of others.
Candidates Finder::outermost(Origin Wanted) const {
  Candidates Left, Result;
  for (const StepCandidate &C : All)
    if (C.Ranges.size() >= FewestRuns && isAmong(T.Sites[C.Site], Wanted) &&
        isLarge(C) && !T.isThrottled(C.Site))
      Left.push_back(&C);
  // What contains others takes at least as long.
  sortBy(Left, [](const StepCandidate *A) {
    return std::tuple(-A->HostTime, A->Depth, A->Ranges.size());
  });
  for (const StepCandidate *C : Left)
    if (!areMostInside(T, *C, Result))
      Result.push_back(C);
  return Result;
}

Candidates Finder::find(double Share, Origin Wanted) const {
  constexpr size_t MostPhases = 8;
  // Without GPU work there is no way to tell which function is the step.
  if (!GpuTime && Wanted == Origin::Code)
    Wanted = Origin::Loops;
  Candidates Sorted = outermost(Wanted), Result;
  sortBy(Sorted, [](const StepCandidate *A) {
    return std::pair(-A->GpuTime, A->Depth);
  });
  int64_t Sum = 0;
  for (const StepCandidate *C : Sorted) {
    if (Result.size() == MostPhases)
      break;
    // On another thread it is the same phase.
    if (llvm::any_of(Result, [&](const StepCandidate *Other) {
          return C->Site == Other->Site || !areApart(T, *C, *Other);
        }))
      continue;
    Result.push_back(C);
    Sum += C->GpuTime;
  }
  if (Result.empty())
    return Result;
  int64_t First = INT64_MAX;
  for (const StepCandidate *C : Result)
    First = std::min(First, T.Host.Start[C->Ranges.front()]);
  const int64_t Start =
      GpuWork(T, First, INT64_MAX).ofStart(Result.front()->Ranges.size());
  return double(Sum) < Share * double(GpuTime - Start) ? Candidates() : Result;
}

} // namespace

std::vector<StepCandidate>
autoprof::analysis::findStepCandidates(const Timeline &T) {
  const trace::HostEvents &H = T.Host;
  const LaunchedWork Work(T);
  std::map<std::pair<uint32_t, uint32_t>, StepCandidate> Found;
  std::vector<llvm::SmallVector<uint32_t, 8>> Open(T.Threads.size());
  for (uint32_t I = 0; I < H.size(); ++I) {
    if (H.Kind[I] != trace::HostKind::Range)
      continue;
    const uint32_t Site = H.Site[I];
    auto &Stack = Open[H.Thread[I]];
    while (!Stack.empty() && H.End[Stack.back()] <= H.Start[I])
      Stack.pop_back();
    // Of a recursion only the outermost run counts.
    const bool Inside = llvm::any_of(
        Stack, [&](uint32_t Outer) { return H.Site[Outer] == Site; });
    if (Site != None && !Inside) {
      StepCandidate &C = Found[{Site, H.Thread[I]}];
      C.Site = Site;
      C.Thread = H.Thread[I];
      C.Depth = std::min<unsigned>(C.Depth, Stack.size());
      C.GpuTime += Work.in(I);
      C.HostTime += H.End[I] - H.Start[I];
      C.Ranges.push_back(I);
    }
    Stack.push_back(I);
  }
  std::vector<StepCandidate> Result;
  for (auto &[Key, C] : Found) {
    if (const trace::Site &S = T.Sites[C.Site]; S.Kind != "loop")
      C.Name = S.Function;
    Result.push_back(std::move(C));
  }
  return Result;
}

Candidates autoprof::analysis::findPhases(const Timeline &T,
                                          llvm::ArrayRef<StepCandidate> All) {
  const Finder F(T, All);
  Candidates Result = F.find(0.9, Origin::Loops);
  if (Result.empty())
    Result = F.find(0.5, Origin::Code);
  return Result.empty() ? F.find(0.5, Origin::UserRanges) : Result;
}

bool autoprof::analysis::areApart(const Timeline &T, const StepCandidate &A,
                                  const StepCandidate &B) {
  if (areMostInside(T, A, &B) || areMostInside(T, B, &A))
    return false;
  // How often A follows B, and B follows A.
  size_t TurnsOfA = 0, TurnsOfB = 0;
  enum { Nobody, First, Second } Last = Nobody;
  for (size_t I = 0, J = 0; I < A.Ranges.size() || J < B.Ranges.size();) {
    const bool IsA = J == B.Ranges.size() ||
                     (I < A.Ranges.size() && A.Ranges[I] < B.Ranges[J]);
    if (Last != (IsA ? First : Second))
      ++(IsA ? TurnsOfA : TurnsOfB);
    Last = IsA ? First : Second;
    ++(IsA ? I : J);
  }
  return std::min(TurnsOfA, TurnsOfB) < FewestRuns;
}

const StepCandidate *
autoprof::analysis::findInner(const Timeline &T,
                              llvm::ArrayRef<StepCandidate> All,
                              const StepCandidate &Outer) {
  const Origin Wanted =
      T.Sites[Outer.Site].isUserRange() ? Origin::UserRanges : Origin::Loops;
  const StepCandidate *Best = nullptr;
  for (const StepCandidate &C : All)
    if (C.Site != Outer.Site && isAmong(T.Sites[C.Site], Wanted) &&
        C.Ranges.size() >= FewestRuns * Outer.Ranges.size() && C.GpuTime &&
        4 * C.GpuTime >= 3 * Outer.GpuTime && !T.isThrottled(C.Site) &&
        (!Best || C.HostTime > Best->HostTime) && areMostInside(T, C, &Outer))
      Best = &C;
  return Best;
}
