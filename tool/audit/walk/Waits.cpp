// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/walk/Waits.h"

#include "audit/walk/Choices.h"
#include "audit/walk/Flow.h"
#include "audit/walk/Frequencies.h"
#include "audit/walk/Kinds.h"
#include "audit/walk/Pairs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <map>

namespace autoprof::audit {

using catalogue::CallClass;
using catalogue::Waits;

llvm::StringRef name(Frequency F) {
  constexpr llvm::StringLiteral Names[] = {"outside", "sometimes", "some_runs",
                                           "each"};
  return Names[unsigned(F)];
}

llvm::StringRef name(FirstUse::Kind K) {
  constexpr llvm::StringLiteral Names[] = {
      "unknown", "at_once", "same_iteration", "next_iteration", "after_loop"};
  return Names[unsigned(K)];
}

namespace {

std::string keyOf(const Place &At) {
  return At.File + ":" + std::to_string(At.Offset) + "|";
}

class Collector {
  const Project &P;
  const Judges &Rules;
  Findings Result;
  std::vector<Finding> Races;
  llvm::StringMap<unsigned> LoopNumbers, PairNumbers;
  /// By loop and call.
  std::map<std::pair<const Scope *, const LinkedSite *>, unsigned> WaysTo;
  std::vector<Pair> Pairs;
  SharedSteps Shown;
  unsigned Launches = 0, Traces = 0;
  /// By guard and loop: see launchesUnder().
  std::map<std::pair<int, int>, bool> MayLaunch;
  Choices Chosen;
  Kinds KindOf;
  /// By the function where paths begin: the most launches in an iteration of an
  /// outermost loop.
  std::map<unsigned, unsigned> Largest;
  /// By loop and such a function: the same of the loops around it.
  std::map<std::pair<unsigned, unsigned>, unsigned> LaunchesAround;

public:
  Collector(const Project &P, const Judges &Rules)
      : P(P), Rules(Rules), Chosen(P), KindOf(P) {
    Result.Seen.resize(P.sites().size());
  }

  void add(const Trace &T) {
    if (T.Cut)
      cut(T.scopeOf(T.Loops[0]).Location);
    Rules.FindRaces(T, Races);
    Launches = 0;
    ++Traces;
    unsigned &Most = Largest[T.Frames[0].Function];
    Most = std::max(Most, T.Loops[0].Launches);
    MayLaunch.clear();
    for (size_t I = 0; I < T.Steps.size(); ++I) {
      const Step &S = T.Steps[I];
      Launches += leavesLaunch(S);
      if (!S.Call)
        continue;
      const int L = loopOf(T, S);
      SiteSeen &Seen = Result.Seen[S.Call->Linked - P.sites().data()];
      Seen =
          std::max(Seen, L < 0 ? SiteSeen::InLoop : SiteSeen::InLaunchingLoop);
      if (L < 0)
        continue;
      if (!S.Call->Linked->Captured && mayCost(*S.Call))
        wait({T, I, L});
    }
  }

  Findings take() {
    Result.All = joined(std::move(Pairs));
    lowerMinor();
    std::move(Races.begin(), Races.end(), std::back_inserter(Result.All));
    return std::move(Result);
  }

private:
  /// Marks the loops that launch little of what a program launches, and lowers
  /// what waits in them: the time is elsewhere. A nested loop may run through
  /// many iterations in one of the loop around it.
  void lowerMinor() {
    constexpr unsigned Share = 10, ShareOfNested = 100;
    for (Loop &L : Result.Loops)
      L.Minor = true;
    std::vector<std::pair<unsigned, unsigned>> ByLaunches;
    for (const auto &[Begin, Launches] : Largest)
      ByLaunches.push_back({Launches, Begin});
    llvm::sort(ByLaunches, std::greater<>());
    std::map<unsigned, unsigned> Known;
    const auto LargestOf = [&](unsigned Function) {
      auto [It, New] = Known.try_emplace(Function);
      if (New)
        It->second = llvm::find_if(ByLaunches, [&](const auto &Other) {
                       return P.mayShareProgram(Other.second, Function);
                     })->first; // Its own, at least.
      return It->second;
    };
    for (const auto &[Key, Launches] : LaunchesAround) {
      Loop &L = Result.Loops[Key.first];
      const unsigned Most = LargestOf(Key.second);
      L.Minor &= Launches * Share < Most || L.Launches * ShareOfNested < Most;
    }
    for (Finding &F : Result.All)
      if (Result.Loops[F.Loop].Minor)
        F.Level = std::min(F.Level, Severity::Low);
  }

  /// Allocations that take long do not wait.
  static bool mayCost(const PathSite &S) {
    return catalogue::mayWait(S.Effects.Wait) ||
           (S.Effects.Wait == Waits::Slow &&
            S.Linked->kind() != CallClass::Launch);
  }

  int loopNumber(const Trace &T, int Number, bool IsRare) {
    const LoopOnPath &L = T.Loops[Number];
    const Scope &S = T.scopeOf(L);
    auto [It, New] =
        LoopNumbers.try_emplace(keyOf(S.Location), Result.Loops.size());
    if (New) {
      Loop Made;
      Made.Location = S.Location;
      Made.Text = S.Text;
      Made.Function = T.functionOf(L.Frame).Name;
      Made.Kind = KindOf.of(T.Frames[L.Frame].Function, S.Location.File);
      Made.Rare = true;
      Result.Loops.push_back(std::move(Made));
    }
    Loop &Known = Result.Loops[It->second];
    unsigned &Around = LaunchesAround[{It->second, T.Frames[0].Function}];
    Around = std::max(Around, T.Loops[0].Launches);
    unsigned Depth = 0;
    for (int Outer = IsRare ? -1 : L.Parent; Outer >= 0;
         Outer = T.Loops[Outer].Parent)
      Depth += !T.Loops[Outer].OverDevices;
    Known.Depth = std::max(Known.Depth, Depth);
    Known.Rare &= IsRare;
    Known.Launches = std::max(Known.Launches, L.Launches);
    Known.LaunchSites = std::max(Known.LaunchSites, L.Launches - L.Records);
    return It->second;
  }

  std::vector<SharedStep> pathTo(const WaitOnPath &W) {
    std::vector<SharedStep> Path;
    for (int F = W.step().Frame; F != W.loop().Frame && F >= 0;
         F = W.T.Frames[F].Parent)
      if (const Call *Made = W.T.Frames[F].Made)
        Path.push_back(Shown.of(*Made));
    Path.push_back({W.T.scopeOf(W.loop()).Location, "in this loop"});
    std::reverse(Path.begin(), Path.end());
    return Path;
  }

  /// The loop's calls are not all followed.
  void cut(const Place &Loop) {
    if (llvm::none_of(Result.Cut, [&](const Place &Other) {
          return keyOf(Other) == keyOf(Loop);
        }))
      Result.Cut.push_back(Loop);
  }

  void wait(const WaitOnPath &W) {
    // Nobody reads more ways from a loop to one call.
    constexpr unsigned MostWays = 256;
    const Scope &In = W.T.scopeOf(W.loop());
    unsigned &Ways = WaysTo[{&In, W.call().Linked}];
    if (Ways == MostWays)
      return cut(In.Location);
    Finding F;
    F.Site = &W.site();
    F.Location = W.site().Model->Location;
    F.Path = pathTo(W);
    F.Decided = W.T.seenFrom(W.loop().Frame, W.step());
    F.Order = W.At;
    std::vector<const Guard *> Conditions;
    F.HowOften = frequencyOf(W.T, W.step().Guard, W.Loop, &Conditions);
    const Pending Before = pendingAt(W.T, W.At);
    if (const int Own = guardOfPending(W.T, W.At, Before); Own >= 0) {
      std::vector<const Guard *> More;
      F.HowOften = std::min(F.HowOften, frequencyOf(W.T, Own, W.Loop, &More));
      for (const Guard *G : More)
        if (!llvm::is_contained(Conditions, G))
          Conditions.push_back(G);
    }
    const Frequency OfLoop = frequencyOfLoop(W.T, W.Loop, Conditions);
    for (const Guard *G : Conditions)
      F.Conditions.push_back(Shown.of(*G));
    F.Loop = loopNumber(W.T, W.Loop, OfLoop == Frequency::Sometimes);
    F.IsLatched = isLatched(W.T, W.step().Guard, W.Loop);
    F.Pending = !Before.isNothing();
    if (!F.Pending && Before.Done) {
      F.DrainedBy = Before.Done->Call->Linked;
      F.DrainedAt = W.T.seenFrom(W.step().Frame, *Before.Done);
    }
    F.Use = firstUse(W.T, W.At, W.Loop);
    F.Level = severityOf(W, F, std::min(F.HowOften, OfLoop), Before);
    F.Certainty =
        W.call().Effects.Wait == Waits::Maybe || (F.Pending && !Before.Work)
            ? Confidence::Medium
            : Confidence::High;
    if (!Rules.Describe(W, Before, F))
      return;
    std::string Key;
    for (const PathStep &Step : F.Path)
      Key += keyOf(Step.Location);
    Key += keyOf(F.Location) + F.Site->Model->Callee;
    Pair P{std::move(F), Traces, Launches};
    auto [It, New] = PairNumbers.try_emplace(Key, Pairs.size());
    Ways += New;
    if (New)
      Pairs.push_back(std::move(P));
    else if (isWorse(P.Found, Pairs[It->second].Found))
      Pairs[It->second] = std::move(P);
  }

  static bool isWorse(const Finding &A, const Finding &B) {
    return std::tuple(A.Level, A.HowOften, B.Conditions.size()) >
           std::tuple(B.Level, B.HowOften, A.Conditions.size());
  }

  /// Whether a program makes the call a few times only, because all loops
  /// around it in main() have known lengths.
  static bool isFew(const WaitOnPath &W) {
    constexpr int64_t Few = 32;
    int64_t Times = 1;
    for (int L = W.Loop; L >= 0; L = W.T.Loops[L].Parent) {
      const std::optional<int64_t> Trips = W.T.Loops[L].Trips;
      if (!Trips || *Trips > Few)
        return false;
      Times *= *Trips;
    }
    return Times <= Few && W.T.functionOf(0).Name == "main";
  }

  /// Whether the loop may launch in the runs in which the call is made: not if
  /// it launches in others only. Where it is not seen to launch, unseen code
  /// does.
  bool launchesUnder(const WaitOnPath &W) {
    auto [It, New] = MayLaunch.try_emplace({W.step().Guard, W.Loop}, false);
    if (New) {
      Search Steps(W.T, W.At, Search::Calls);
      size_t I = W.loop().Begin;
      for (; Steps.first(I, W.loop().End, I) && !It->second; ++I)
        It->second = leavesLaunch(W.T.Steps[I]);
    }
    return It->second || W.site().Launches ||
           W.loop().Launches == W.loop().Records;
  }

  /// `Often`: in the loop and those around it.
  Severity severityOf(const WaitOnPath &W, const Finding &F, Frequency Often,
                      const Pending &Before) {
    const Loop &L = Result.Loops[F.Loop];
    const Waits Wait = W.call().Effects.Wait;
    // Memory is seldom null or from a pool when it is freed.
    const bool Frees = W.site().kind() == CallClass::Free;
    // Few programs make two choices in the same way.
    if (Often == Frequency::Sometimes ||
        isUncertain(W.T, W.step().Guard, W.Loop) ||
        isOff(W.T, W.step().Guard) ||
        Chosen.before(W.T, W.step(), W.Loop) > 1 || Wait == Waits::Slow ||
        (Wait == Waits::Maybe && !Frees) || Before.isUnlikely() || isFew(W) ||
        !launchesUnder(W))
      return Severity::Low;
    return Often == Frequency::SomeRuns || L.Kind != LoopKind::Work ||
                   !Before.Work || Wait != Waits::Yes
               ? Severity::Medium
               : Severity::High;
  }
};

} // namespace

void forTraces(const Project &P, llvm::function_ref<void(Trace &)> Use) {
  Tracer Paths(P);
  const Kinds KindOf(P);
  // First what nobody calls, tests last, then what no path has reached:
  // callbacks, recursion.
  std::vector<unsigned> Roots, Tests, Rest;
  for (unsigned I = 0; I < P.functions().size(); ++I) {
    const LinkedFunction &F = P.functions()[I];
    const bool IsRoot = F.Callers.empty() || P.isStored(I);
    (!IsRoot                                                  ? Rest
     : KindOf.of(I, F.Model->Location.File) == LoopKind::Work ? Roots
                                                              : Tests)
        .push_back(I);
  }
  for (const std::vector<unsigned> &Some : {Roots, Tests, Rest})
    for (unsigned I : Some)
      if (!Paths.reached()[I])
        Paths.follow(I, Use);
}

Findings findWaits(const Project &P, const Judges &Rules) {
  Collector Result(P, Rules);
  forTraces(P, [&](Trace &T) { Result.add(T); });
  return Result.take();
}

/// Loops of tests and examples matter where nothing else is.
static void lowerExamples(Findings &F) {
  const auto IsWork = [&](const Finding &Found) {
    return F.Loops[Found.Loop].Kind == LoopKind::Work;
  };
  if (llvm::none_of(F.All, [&](const Finding &Found) {
        return Found.Loop >= 0 && IsWork(Found) &&
               Found.Level >= Severity::Medium;
      }))
    return;
  for (Finding &Found : F.All)
    if (Found.Loop >= 0 && !IsWork(Found))
      Found.Level = std::min(Found.Level, Severity::Low);
}

void arrangeLoops(Findings &F) {
  lowerExamples(F);
  std::vector<unsigned> Order;
  for (const Finding &Found : F.All)
    if (Found.Loop >= 0 && !llvm::is_contained(Order, unsigned(Found.Loop)))
      Order.push_back(Found.Loop);
  llvm::stable_sort(Order, [&](unsigned A, unsigned B) {
    const Loop &X = F.Loops[A], &Y = F.Loops[B];
    return std::tuple(X.Kind, X.Minor, X.Rare, Y.Depth, Y.LaunchSites,
                      X.Location.File, X.Location.Line) <
           std::tuple(Y.Kind, Y.Minor, Y.Rare, X.Depth, X.LaunchSites,
                      Y.Location.File, Y.Location.Line);
  });
  std::vector<Loop> Sorted;
  std::vector<int> Numbers(F.Loops.size(), -1);
  for (unsigned I : Order) {
    Numbers[I] = Sorted.size();
    Sorted.push_back(std::move(F.Loops[I]));
  }
  F.Loops = std::move(Sorted);
  for (Finding &Found : F.All)
    if (Found.Loop >= 0)
      Found.Loop = Numbers[Found.Loop];
}

} // namespace autoprof::audit
