// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of a program that nobody annotated (docs/model.md, "Steps by
// repetition"). Finer and coarser anchors may both be regular: a layer's in a
// step, a step's in an epoch. The finest is taken that covers most of the
// sequence: the layers of a forward pass do not cover the backward pass. Only
// where the coarser one has kinds of kernels that the finer one lacks, a fifth
// of as many or more, is it the step: a decoder's layers and its head, but not
// an epoch's steps and its evaluation, nor ten steps and their log.
#include "analysis/steps/Steps.h"

#include "analysis/common/KernelName.h"
#include "analysis/common/Sorting.h"
#include "analysis/common/Statistics.h"
#include "analysis/steps/Anchors.h"
#include "analysis/steps/GpuWork.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::None;
using trace::Timeline;

namespace {

constexpr size_t FewestSteps = 3;
/// Parts of a few calls are alike by chance: only if they are very many.
constexpr uint32_t ShortPart = 10;
constexpr size_t FewestShortParts = 8;
constexpr size_t ManyParts = 20;

bool isRegular(const Anchor &A, const Sequence &S) {
  const bool IsShort = A.Length < ShortPart;
  const double Share = IsShort ? 0.75 : 0.6;
  // One operation that repeats may also be a loop inside a step.
  if (A.Length < 2)
    return false;
  const double Alike = A.Typical * double(A.parts());
  return Alike > (IsShort ? FewestShortParts : FewestSteps) - 0.5 &&
         A.Typical >= Share && A.Covered >= Share && sameOrder(A, S) >= 0.5;
}

/// The share of the parts that hold one step, and perhaps more, but not two.
double wholeOnes(const Anchor &A) {
  double Step = 0;
  for (uint32_t Count : A.Reference)
    Step += Count;
  size_t Whole = 0;
  for (size_t I = 0; I < A.parts(); ++I) {
    const double Size = A.At[I + 1] - A.At[I];
    const double Common = A.Alike[I] * (Step + Size) / 2;
    Whole += Common >= 0.9 * Step && Size < 1.9 * Step;
  }
  return double(Whole) / double(A.parts());
}

/// Whether a part is mostly one operation, again and again: a step may be one
/// of these, and what is between two parts happens in every n-th step only.
bool mayBeSeveral(const Anchor &A) {
  constexpr uint32_t Few = 3;
  uint32_t Sum = 0, Most = 0;
  for (uint32_t Count : A.Reference) {
    Sum += Count;
    Most = std::max(Most, Count);
  }
  return Most >= Few && 3 * Most > 2 * Sum;
}

class Finder {
  const Timeline &T;
  const Sequences &All;
  const Sequence &S;
  /// One anchor represents all that run about equally often.
  struct Level {
    Anchor Best;
    std::vector<Anchor *> Others; ///< Not judged; of about as many runs.
  };
  std::vector<Anchor> Anchors;
  std::vector<Level> Levels; ///< The finest first.

  void findLevels();
  double newKinds(const Level &Fine, const Level &Coarse) const;
  bool isOfMainThread(const Anchor &A) const;
  int64_t pauseBefore(const Anchor &A) const;
  void cutBehindPause(Level &L) const;
  bool isMain(const Anchor &A) const;
  std::optional<Anchor> judged(Anchor A) const;
  size_t piecesOf(const Anchor &A) const;
  int64_t beginOf(uint32_t At) const { return T.Host.Start[S[At].Call]; }
  bool IsDoubtful = false;

public:
  Finder(const Timeline &T, const Sequences &All, const Sequence &S)
      : T(T), All(All), S(S) {}
  std::optional<Repetition> run();
  bool keepSection(Anchor &A) const;
  Anchor withWholeSteps(Anchor A) const;
  std::optional<Repetition> finish(const Anchor &A) const;
};

/// Leaves the section whose parts are typical: the anchor may also run while
/// the program starts, tries algorithms, or ends. False: there is none.
bool Finder::keepSection(Anchor &A) const {
  auto Length = [&A](size_t Part) { return A.At[Part + 1] - A.At[Part]; };
  auto IsTypical = [&A](size_t Part) { return A.Alike[Part] >= TypicalPart; };
  // The one with the most elements in typical parts. One in another part takes
  // back one and a half, so at least three of five are in typical parts.
  double Sum = 0, Most = 0;
  size_t From = 0, First = 0, Last = 0;
  for (size_t I = 0; I < A.parts(); ++I) {
    Sum += IsTypical(I) ? Length(I) : -1.5 * Length(I);
    if (Sum <= 0) {
      Sum = 0;
      From = I + 1;
    } else if (Sum > Most) {
      Most = Sum;
      First = From;
      Last = I + 1;
    }
  }
  if (First == Last)
    return false;
  // More beyond what takes a short time, such as an evaluation near the end.
  auto IsNear = [&](size_t Here, size_t There) {
    return 10 * (beginOf(A.At[There]) - beginOf(A.At[Here])) <=
           beginOf(A.At[Last]) - beginOf(A.At[First]);
  };
  for (size_t I = Last; I < A.parts() && IsNear(Last, I); ++I)
    Last = IsTypical(I) ? I + 1 : Last;
  for (size_t I = First; I > 0 && IsNear(I, First); --I)
    First = IsTypical(I - 1) ? I - 1 : First;
  // A few parts are alike by chance if they may be anywhere.
  const uint32_t Kept = A.At[Last] - A.At[First], Whole = A.At.back() - A.At[0];
  if (Last - First < ManyParts && 4 * Kept < 3 * Whole)
    return false;
  // The first and the last step may lack something.
  constexpr float LikeStep = 0.5F;
  First -= First > 0 && A.Alike[First - 1] >= LikeStep;
  Last += Last < A.parts() && A.Alike[Last] >= LikeStep;
  A.At = std::vector(A.At.begin() + long(First), A.At.begin() + long(Last) + 1);
  A.Alike =
      std::vector(A.Alike.begin() + long(First), A.Alike.begin() + long(Last));
  summarize(A);
  return true;
}

/// Whether the steps are what the program does: they compute, and hold at least
/// half of the GPU's work, but for that of the start; or of nine in ten
/// kernels.
bool Finder::isMain(const Anchor &A) const {
  auto Computes = [](const Word &W) { return W.computes(); };
  bool IsComputation = llvm::none_of(All.Words, Computes);
  for (size_t W = 0; W < All.Words.size(); ++W)
    IsComputation |= A.Reference[W] && Computes(All.Words[W]);
  if (!IsComputation)
    return false;
  if (T.LaunchOrder.empty())
    return 2 * (A.At.back() - A.At.front()) >= S.size();
  const GpuWork Work(T, beginOf(A.At.front()), beginOf(A.At.back()));
  return Work.Inside >= Work.Before - Work.ofStart(A.parts()) + Work.After ||
         Work.OpsInside >= 9 * Work.OpsOutside;
}

void Finder::findLevels() {
  // Long recordings have hundreds of anchors, of which this many are enough.
  constexpr size_t MostJudged = 24, JudgedOfLevel = 2;
  size_t Judged = 0;
  for (size_t Last = Anchors.size(); Last > 0 && Judged < MostJudged;) {
    const size_t Runs = Anchors[Last - 1].At.size();
    size_t First = Last;
    while (First > 0 && 20 * Anchors[First - 1].At.size() >= 19 * Runs)
      --First;
    Level L;
    // Those that run equally often are adjacent, the most regular first.
    size_t OfCount = 0;
    for (size_t I = First; I < Last; ++I) {
      const bool IsNew =
          I == First || Anchors[I].At.size() != Anchors[I - 1].At.size();
      OfCount = IsNew ? 0 : OfCount + 1;
      L.Others.push_back(&Anchors[I]);
      if (OfCount >= JudgedOfLevel || Judged >= MostJudged)
        continue;
      ++Judged;
      if (std::optional<Anchor> A = judged(Anchors[I]);
          A && (L.Best.At.empty() || A->score() > L.Best.score()))
        L.Best = std::move(*A);
    }
    if (!L.Best.At.empty())
      Levels.push_back(std::move(L));
    Last = First;
  }
}

/// Kinds of kernels in the coarse parts that the fine ones do not have, for
/// each kind that these have.
double Finder::newKinds(const Level &Fine, const Level &Coarse) const {
  size_t Known = 0, New = 0;
  for (size_t W = 0; W < All.Words.size(); ++W) {
    if (!All.Words[W].computes())
      continue;
    Known += Fine.Best.Reference[W] > 0;
    New += !Fine.Best.Reference[W] && Coarse.Best.Reference[W];
  }
  return double(New) / double(std::max<size_t>(1, Known));
}

/// Of how many parts a step is made: of two or three, if they launch other
/// kernels than the next part, and the same as the second or third next.
size_t Finder::piecesOf(const Anchor &A) const {
  for (const bool WithSizes : {false, true}) {
    std::vector<size_t> Launched;
    for (size_t I = 0; I < A.parts(); ++I) {
      llvm::hash_code Hash(0);
      for (uint32_t E = A.At[I]; E < A.At[I + 1]; ++E)
        if (All.Words[S[E].Word].computes())
          Hash = llvm::hash_combine(Hash, S[E].Word,
                                    WithSizes ? All.Forms[S[E].Form].Size : 0);
      Launched.push_back(Hash);
    }
    auto Same = [&](size_t Distance) {
      size_t Count = 0;
      for (size_t I = Distance; I < Launched.size(); ++I)
        Count += Launched[I] == Launched[I - Distance];
      return Count;
    };
    for (const size_t Distance : {2, 3})
      if (10 * Same(1) <= A.parts() && 2 * Same(Distance) >= A.parts())
        return Distance;
  }
  return 1;
}

/// Whether the process's first thread runs it.
bool Finder::isOfMainThread(const Anchor &A) const {
  const uint32_t Call = S[A.At[A.At.size() / 2]].Call;
  return T.Info.Pid >= 0 && T.Threads[T.Host.Thread[Call]].Tid == T.Info.Pid;
}

/// ns: how long nothing was launched before an anchor, median.
int64_t Finder::pauseBefore(const Anchor &A) const {
  std::vector<int64_t> Pauses;
  for (uint32_t At : A.At)
    if (At)
      Pauses.push_back(T.Host.Start[S[At].Call] - T.Host.End[S[At - 1].Call]);
  return median(std::move(Pauses));
}

/// Takes the anchor after the longest pause among those that are equally
/// regular. Waits and copies to the host are used only if there are no others,
/// because they are what people remove from a program that is then compared.
void Finder::cutBehindPause(Level &L) const {
  struct Rank {
    bool IsMain;
    int64_t Pause;
    Anchor *A;
  };
  std::vector<Rank> Order;
  for (Anchor *A : L.Others) {
    const Word &W = All.Words[A->Word];
    if (W.Kind != Word::Wait && W.Kind != Word::CopyToHost)
      Order.push_back({isOfMainThread(*A), pauseBefore(*A), A});
  }
  largestFirst(Order,
               [](const Rank &A) { return std::tie(A.IsMain, A.Pause); });
  constexpr size_t MostTried = 6;
  const Word &Best = All.Words[L.Best.Word];
  const double Tolerance =
      Best.Kind == Word::Wait || Best.Kind == Word::CopyToHost ? 0.2 : 0.03;
  for (const Rank &Next : llvm::ArrayRef(Order).take_front(MostTried)) {
    if (std::optional<Anchor> A = judged(*Next.A);
        A && A->score() >= L.Best.score() - Tolerance) {
      L.Best = std::move(*A);
      return;
    }
  }
}

/// With the parts of one step together, cut where the longest pause is.
Anchor Finder::withWholeSteps(Anchor A) const {
  const size_t Pieces = piecesOf(A);
  if (Pieces == 1)
    return A;
  const std::vector<uint32_t> Parts = std::move(A.At);
  std::vector<uint32_t> Best;
  int64_t Longest = -1;
  for (size_t First = 0; First < Pieces; ++First) {
    A.At.clear();
    for (size_t I = First; I < Parts.size(); I += Pieces)
      A.At.push_back(Parts[I]);
    if (const int64_t Pause = pauseBefore(A); Pause > Longest) {
      Longest = Pause;
      Best = A.At;
    }
  }
  A.At = std::move(Best);
  judge(A, All, S);
  return A;
}

/// Cut into steps; nullopt if it does not mark them.
std::optional<Anchor> Finder::judged(Anchor A) const {
  judge(A, All, S);
  if (!keepSection(A) || !isRegular(A, S) || !isMain(A))
    return std::nullopt;
  return withWholeSteps(std::move(A));
}

std::optional<Repetition> Finder::finish(const Anchor &A) const {
  const trace::HostEvents &H = T.Host;
  Repetition R;
  R.Anchor =
      A.Form == None ? All.Words[A.Word].Id : idOf(All, All.Forms[A.Form]);
  const Word &W = All.Words[A.Word];
  R.AnchorName = W.Kind == Word::Kernel ? shortName(W.Text) : W.Text;
  // One with a stack, if there is any, gives the line.
  R.Call = S[A.At[A.At.size() / 2]].Call;
  for (uint32_t At : A.At)
    if (H.Site[S[At].Call] != None) {
      R.Call = S[At].Call;
      break;
    }
  R.Thread = H.Thread[R.Call];
  for (uint32_t At : A.At)
    R.Cuts.push_back(H.Start[S[At].Call]);
  // After the last anchor there may be a whole step.
  const size_t End = std::min<size_t>(A.At.back() + A.Length, S.size());
  if (A.At.back() + A.Length <= S.size() + A.Length / 8)
    if (Comparer(A.Reference, S).alike(A.At.back(), End) >= TypicalPart)
      R.Cuts.push_back(H.End[S[End - 1].Call]);
  const double Share = std::min(A.Typical, A.Covered);
  R.Sure = Share >= 0.9 && A.parts() >= FewestShortParts && !IsDoubtful &&
                   !mayBeSeveral(A)
               ? Confidence::High
           : Share >= 0.75 ? Confidence::Medium
                           : Confidence::Low;
  return R.Cuts.size() > FewestSteps ? std::optional(std::move(R))
                                     : std::nullopt;
}

std::optional<Repetition> Finder::run() {
  Anchors = findAnchors(All, S, FewestSteps + 1);
  findLevels();
  if (Levels.empty())
    return std::nullopt;
  size_t Taken = 0;
  for (size_t I = 1; I < Levels.size(); ++I) {
    // A layer's loop is not run hundreds of times in a step.
    constexpr size_t MostInside = 200;
    const double New = newKinds(Levels[Taken], Levels[I]);
    const bool IsInside =
        Levels[Taken].Best.parts() <= MostInside * Levels[I].Best.parts();
    // If two are not nested, one of them also cuts what is not a step: a loss
    // that an evaluation computes.
    const Anchor &Fine = Levels[Taken].Best, &Coarse = Levels[I].Best;
    if (2 * Fine.parts() < 3 * Coarse.parts()) {
      if (wholeOnes(Coarse) > wholeOnes(Fine))
        Taken = I;
      continue;
    }
    if (IsInside && New >= 0.05)
      IsDoubtful = true;
    if (IsInside && New >= 0.2)
      Taken = I;
  }
  cutBehindPause(Levels[Taken]);
  return finish(Levels[Taken].Best);
}

} // namespace

/// At the best anchor.
static std::optional<Repetition> findIn(const Timeline &T, Sequences &All) {
  if (std::optional<Repetition> R = Finder(T, All, All.All).run())
    return R;
  const Sequence Longer = withWordsBefore(All, All.All);
  return Finder(T, All, Longer).run();
}

/// At this anchor.
static std::optional<Repetition> cutAt(const Timeline &T, Sequences &All,
                                       uint64_t Id) {
  Anchor A = anchorOf(All, All.All, Id);
  if (A.At.empty())
    A = anchorOf(All, withWordsBefore(All, All.All), Id);
  if (A.At.size() <= FewestSteps)
    return std::nullopt;
  judge(A, All, All.All);
  const Finder F(T, All, All.All);
  return F.keepSection(A) ? F.finish(F.withWholeSteps(std::move(A)))
                          : std::nullopt;
}

std::optional<Repetition> autoprof::analysis::findRepetition(const Timeline &T,
                                                             uint64_t Anchor) {
  Sequences All = readSequences(T);
  return Anchor ? cutAt(T, All, Anchor) : findIn(T, All);
}
