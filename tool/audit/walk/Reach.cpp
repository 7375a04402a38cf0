// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions may do, including those that they call.
#include "audit/walk/Trace.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

void addCallers(const Project &P, std::vector<bool> &Set) {
  std::vector<unsigned> Worklist;
  for (unsigned I = 0; I < Set.size(); ++I)
    if (Set[I])
      Worklist.push_back(I);
  while (!Worklist.empty()) {
    const unsigned I = Worklist.back();
    Worklist.pop_back();
    for (const LinkedFunction::Caller &C : P.functions()[I].Callers)
      if (!Set[C.Function]) {
        Set[C.Function] = true;
        Worklist.push_back(C.Function);
      }
  }
}

std::vector<bool> launching(const Project &P) {
  std::vector<bool> Result;
  for (const LinkedFunction &F : P.functions())
    Result.push_back(
        llvm::any_of(F.Sites,
                     [&](unsigned S) { return P.sites()[S].Launches; }) ||
        llvm::any_of(F.Model->Calls,
                     [](const Call &Made) { return Made.UsesStream; }));
  addCallers(P, Result);
  return Result;
}

Tracer::Tracer(const Project &P)
    : P(P), Virtuals(P), Conditions(P), Options(P), Launching(launching(P)) {
  const size_t Count = P.functions().size();
  Relevant.resize(Count);
  HoldsLoop.resize(Count);
  Reached.resize(Count);
  for (unsigned I = 0; I < Count; ++I) {
    const LinkedFunction &F = P.functions()[I];
    Relevant[I] = !F.Sites.empty() || F.Model->Unread;
    for (const Call &Made : F.Model->Calls)
      Relevant[I] = Relevant[I] || Made.UsesStream;
    for (const Block &B : F.Model->Blocks)
      for (const Event &E : B.Events)
        Relevant[I] = Relevant[I] || E.Class == Event::Clock ||
                      E.Class == Event::HandsOver || E.Class == Event::Blocks ||
                      E.Class == Event::Touched;
  }
  addCallers(P, Relevant);
  for (unsigned I = 0; I < Count; ++I)
    HoldsLoop[I] = Launching[I] && llvm::any_of(P.functions()[I].Model->Scopes,
                                                [](const Scope &S) {
                                                  return S.Class == Scope::Loop;
                                                });
  addCallers(P, HoldsLoop);
}

bool mayLaunch(const Project &P, const std::vector<bool> &Launching,
               unsigned Function, int Loop) {
  const LinkedFunction &F = P.functions()[Function];
  for (unsigned I : F.Sites)
    if (P.sites()[I].Launches &&
        isScopeIn(*F.Model, P.sites()[I].Model->Scope, Loop))
      return true;
  for (unsigned C = 0; C < F.Callees.size(); ++C)
    if (isScopeIn(*F.Model, F.Model->Calls[C].Scope, Loop) &&
        (F.Model->Calls[C].UsesStream ||
         llvm::any_of(F.Callees[C],
                      [&](unsigned Callee) { return Launching[Callee]; })))
      return true;
  return false;
}

bool Tracer::mayChange(unsigned Function, int Scope, const std::string &Slot,
                       bool OrCopy) {
  auto [It, New] = Changes.try_emplace({Function, Scope, OrCopy});
  std::set<std::string> &Slots = It->second;
  if (New) {
    std::set<unsigned> Seen = {Function};
    std::vector<unsigned> Worklist;
    auto Add = [&](const LinkedFunction &By, int In) {
      // `if (owned) release(); owned = false;`
      const bool IsBranch =
          OrCopy && In >= 0 && By.Model->Scopes[In].Left == Scope::Stays;
      const int Around = IsBranch ? By.Model->Scopes[In].Parent : In;
      for (const Assignment &A : By.Model->Assigns)
        if (isScopeIn(*By.Model, A.Scope, Around) &&
            (A.Class == Assignment::Computes ||
             (OrCopy && A.Class == Assignment::Copies)))
          Slots.insert(A.Slot);
      for (unsigned C = 0; C < By.Callees.size(); ++C)
        if (isScopeIn(*By.Model, By.Model->Calls[C].Scope, In))
          for (unsigned Callee : By.Callees[C])
            if (Seen.insert(Callee).second)
              Worklist.push_back(Callee);
    };
    Add(P.functions()[Function], Scope);
    while (!Worklist.empty()) {
      const unsigned Next = Worklist.back();
      Worklist.pop_back();
      Add(P.functions()[Next], -1);
    }
  }
  return Slots.count(Slot);
}

const std::vector<const Event *> &Tracer::orderOf(unsigned Function) {
  auto [Known, New] = Orders.try_emplace(Function);
  if (New)
    // Clang numbers blocks in the order of the source.
    for (const Block &B : P.functions()[Function].Model->Blocks)
      for (const Event &E : B.Events)
        if (!B.GivesUp)
          Known->second.push_back(&E);
  return Known->second;
}

} // namespace autoprof::audit
