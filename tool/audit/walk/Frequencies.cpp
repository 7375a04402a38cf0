// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/walk/Frequencies.h"

#include "audit/walk/Evaluate.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

/// Calls `Use` for each guard around a step, as far as the loop.
template <typename Callback>
static void forGuards(const Trace &T, int Guard, int Loop, Callback Use) {
  const int Outer = T.Loops[Loop].Guard;
  for (int G = Guard; G >= 0 && !T.isGuardIn(Outer, G); G = T.Guards[G].Parent)
    Use(T.Guards[G]);
}

/// Whether the guard says nothing about how often code runs: it is the loop's
/// own exit, or holds for all but one value of a counter, or unless something
/// rare happens.
static bool isUsual(const Guard &G, const LoopOnPath &L) {
  if (G.Value.Usual == true)
    return true;
  // The else of `if (step == 0)`.
  if (G.Branch && isNumber(G.Branch->When) && !G.Value.Usual &&
      G.Value.Counted == L.Depth)
    return true;
  return G.Branch && G.Branch->Left == Scope::EndsCall && G.Frame == L.Frame;
}

/// Whether it is what follows an early return for empty input.
static bool isOfInput(const Guard &G) {
  return G.Branch && G.Branch->Left == Scope::EndsCall && !G.IsLatch &&
         mostlyHolds(G.Branch->When);
}

/// Whether a run of the loop reaches the code at most once, because it leaves
/// the loop then.
static bool leaves(const Trace &T, int Guard, int Loop) {
  bool Result = false;
  forGuards(T, Guard, Loop, [&](const audit::Guard &G) {
    if (G.Branch)
      Result |=
          (G.Branch->Ends == Scope::EndsLoop && G.Loop == Loop) ||
          (G.Branch->Ends == Scope::EndsCall && G.Frame == T.Loops[Loop].Frame);
  });
  return Result;
}

Frequency frequencyOf(const Trace &T, int Guard, int Loop,
                      std::vector<const audit::Guard *> *Conditions) {
  Frequency Result = Frequency::Each;
  const LoopOnPath &L = T.Loops[Loop];
  forGuards(T, Guard, Loop, [&](const audit::Guard &G) {
    // Each object has its own fields when it is destroyed.
    const Call *Made = T.Frames[G.Frame].Made;
    const bool OfObject = Made && Made->EndsObject;
    if (isUsual(G, L) || (G.IsOfFreed && !OfObject))
      return;
    // Whether there is something to do is most often so. What differs in the
    // iterations of a loop in this one holds in some of them.
    const bool IsThere = G.Branch && isThere(G.Branch->When);
    const bool Differs =
        !OfObject && G.Value.Default.value_or(0) == 0 &&
        (G.Value.Usual == false ||
         (!IsThere && (G.Value.Level == L.Depth || G.Value.Counted == L.Depth ||
                       (G.IsOpaque && G.Value.Level > L.Depth))));
    if (!isOfInput(G))
      Result = std::min(Result,
                        Differs ? Frequency::Sometimes : Frequency::SomeRuns);
    if (Conditions)
      Conditions->push_back(&G);
  });
  if (Conditions)
    std::reverse(Conditions->begin(), Conditions->end());
  return Result;
}

int loopOf(const Trace &T, const Step &S) {
  int Best = -1;
  Frequency Most = Frequency::Outside;
  for (int L = S.Loop; L >= 0; L = T.Loops[L].Parent) {
    if (!T.Loops[L].Launches || T.Loops[L].OverDevices || leaves(T, S.Guard, L))
      continue;
    const Frequency Often = frequencyOf(T, S.Guard, L);
    if (Often > Most) {
      Most = Often;
      Best = L;
    }
  }
  return Best;
}

bool isUncertain(const Trace &T, int Guard, int Loop) {
  bool Result = false;
  forGuards(T, Guard, Loop, [&](const audit::Guard &G) {
    Result |= G.Virtual && G.Virtual->Uncertain && G.Virtual->EndsObject;
  });
  return Result;
}

bool isOff(const Trace &T, int Guard) {
  while (Guard >= 0 && !T.Guards[Guard].isOff())
    Guard = T.Guards[Guard].Parent;
  return Guard >= 0;
}

bool isLatched(const Trace &T, int Guard, int Loop) {
  bool Result = false;
  forGuards(T, Guard, Loop, [&](const audit::Guard &G) {
    // What follows a return may be for each new key, if it is not known why.
    Result |= (G.IsLatch && !G.IsOfFreed) ||
              (G.Branch && G.Branch->Left == Scope::EndsCall &&
               G.Branch->When.isOpaque());
  });
  return Result;
}

Frequency frequencyOfLoop(const Trace &T, int Loop,
                          std::vector<const Guard *> &Conditions) {
  Frequency Result = Frequency::Each;
  int Inner = Loop;
  for (int Outer = T.Loops[Loop].Parent; Outer >= 0;
       Outer = T.Loops[Outer].Parent) {
    if (T.Loops[Outer].OverDevices ||
        T.Loops[Inner].Launches * 2 >= T.Loops[Outer].Launches)
      continue;
    const int Guard = T.Loops[Inner].Guard;
    std::vector<const audit::Guard *> Here;
    const Frequency Often = frequencyOf(T, Guard, Outer, &Here);
    Result = std::min(Result,
                      leaves(T, Guard, Outer) ? Frequency::Sometimes : Often);
    llvm::append_range(Conditions, Here);
    Inner = Outer;
  }
  return Result;
}

} // namespace autoprof::audit
