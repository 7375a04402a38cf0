// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/steps/Repetition.h"

#include "analysis/common/KernelName.h"
#include "analysis/common/Statistics.h"
#include "analysis/steps/Anchors.h"

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

bool isRegular(const Anchor &A, const Sequence &S) {
  const bool IsShort = A.Length < ShortPart;
  const double Share = IsShort ? 0.75 : 0.6;
  // One operation that repeats may also be a loop inside a step.
  if (A.Length < 2)
    return false;
  return A.parts() >= (IsShort ? FewestShortParts : FewestSteps) &&
         A.Typical >= Share && A.Covered >= Share && sameOrder(A, S) >= 0.5;
}

/// Leaves out what is not a step at both ends: the anchor also runs while the
/// program starts or ends.
void trim(Anchor &A) {
  auto IsStep = [](float Alike) { return Alike >= 0.5F; };
  size_t From = 0, To = A.parts();
  while (From + 1 < To &&
         (!IsStep(A.Alike[From]) || A.Alike[From + 1] < TypicalPart))
    ++From;
  while (To > From + 1 && !IsStep(A.Alike[To - 1]))
    --To;
  A.At = std::vector(A.At.begin() + long(From), A.At.begin() + long(To) + 1);
  A.Alike =
      std::vector(A.Alike.begin() + long(From), A.Alike.begin() + long(To));
  summarize(A);
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
  bool reaches(const Anchor &A) const;
  bool IsDoubtful = false;

public:
  Finder(const Timeline &T, const Sequences &All, const Sequence &S)
      : T(T), All(All), S(S) {}
  std::optional<Repetition> run();
  std::optional<Repetition> finish(const Anchor &A) const;
};

/// Whether the steps hold at least half of what the GPU did.
bool Finder::reaches(const Anchor &A) const {
  const int64_t From = T.Host.Start[S[A.At.front()].Call],
                To = T.Host.Start[S[A.At.back()].Call];
  int64_t Inside = 0, Sum = 0;
  size_t Number = 0;
  for (uint32_t Op : T.LaunchOrder) {
    const int64_t Time = T.Ops.End[Op] - T.Ops.Start[Op];
    const int64_t At = T.Host.Start[T.Ops.Launch[Op]];
    const bool IsIn = At >= From && At < To;
    Sum += Time;
    Inside += IsIn ? Time : 0;
    Number += IsIn;
  }
  if (T.LaunchOrder.empty())
    return 2 * (A.At.back() - A.At.front()) >= S.size();
  return 2 * Inside >= Sum || 2 * Number >= T.LaunchOrder.size();
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
      Anchor A = Anchors[I];
      judge(A, All, S);
      trim(A);
      if (isRegular(A, S) && reaches(A) &&
          (L.Best.At.empty() || A.score() > L.Best.score()))
        L.Best = std::move(A);
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
    const Word::Class Kind = All.Words[W].Kind;
    if (Kind != Word::Kernel && Kind != Word::Graph)
      continue;
    Known += Fine.Best.Reference[W] > 0;
    New += !Fine.Best.Reference[W] && Coarse.Best.Reference[W];
  }
  return double(New) / double(std::max<size_t>(1, Known));
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
  llvm::stable_sort(Order, [](const Rank &A, const Rank &B) {
    return std::tie(A.IsMain, A.Pause) > std::tie(B.IsMain, B.Pause);
  });
  constexpr size_t MostTried = 6;
  const Word &Best = All.Words[L.Best.Word];
  const double Tolerance =
      Best.Kind == Word::Wait || Best.Kind == Word::CopyToHost ? 0.2 : 0.03;
  for (const Rank &Next : llvm::ArrayRef(Order).take_front(MostTried)) {
    Anchor A = *Next.A;
    judge(A, All, S);
    trim(A);
    if (isRegular(A, S) && reaches(A) &&
        A.score() >= L.Best.score() - Tolerance) {
      L.Best = std::move(A);
      return;
    }
  }
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
  R.Typical = A.Typical;
  for (uint32_t At : A.At)
    R.Cuts.push_back(H.Start[S[At].Call]);
  // After the last anchor there may be a whole step.
  const size_t End = std::min<size_t>(A.At.back() + A.Length, S.size());
  if (A.At.back() + A.Length <= S.size() + A.Length / 8)
    if (alike(A, S, A.At.back(), End) >= TypicalPart)
      R.Cuts.push_back(H.End[S[End - 1].Call]);
  const double Share = std::min(A.Typical, A.Covered);
  R.Sure = Share >= 0.9 && A.parts() >= FewestShortParts && !IsDoubtful
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
      if (Coarse.score() > Fine.score())
        Taken = I;
      continue;
    }
    // Halves of a step that happen to be similar are less similar than steps.
    if (Fine.parts() < 4 * Coarse.parts() && Fine.MeanAlike < 0.93 &&
        Coarse.MeanAlike >= Fine.MeanAlike + 0.05 &&
        Coarse.score() >= Fine.score()) {
      Taken = I;
      continue;
    }
    if (IsInside && New >= 0.05 && New < 0.5)
      IsDoubtful = true;
    if (IsInside && New >= 0.2)
      Taken = I;
  }
  cutBehindPause(Levels[Taken]);
  return finish(Levels[Taken].Best);
}

} // namespace

llvm::StringRef autoprof::analysis::name(Confidence C) {
  constexpr llvm::StringLiteral Names[] = {"low", "medium", "high"};
  return Names[unsigned(C)];
}

/// At the best anchor of a sequence.
static std::optional<Repetition> findIn(const Timeline &T, Sequences &All,
                                        const Sequence &S) {
  if (std::optional<Repetition> R = Finder(T, All, S).run())
    return R;
  const Sequence Longer = withWordsBefore(All, S);
  return Finder(T, All, Longer).run();
}

/// At this anchor.
static std::optional<Repetition> cutAt(const Timeline &T, Sequences &All,
                                       const Sequence &S, uint64_t Id) {
  Anchor A = anchorOf(All, S, Id);
  if (A.At.empty())
    A = anchorOf(All, withWordsBefore(All, S), Id);
  if (A.At.size() <= FewestSteps)
    return std::nullopt;
  judge(A, All, S);
  trim(A);
  return Finder(T, All, S).finish(A);
}

std::optional<Repetition> autoprof::analysis::findRepetition(const Timeline &T,
                                                             uint64_t Anchor) {
  Sequences All = readSequences(T);
  std::optional<Repetition> Best;
  for (const Sequence &S : All.List) {
    std::optional<Repetition> R =
        Anchor ? cutAt(T, All, S, Anchor) : findIn(T, All, S);
    if (R && (!Best || R->Sure > Best->Sure))
      Best = std::move(R);
    if (Best && (Anchor || Best->Sure > Confidence::Low))
      break;
  }
  return Best;
}
