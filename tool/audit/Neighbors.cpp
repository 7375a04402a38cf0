// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Neighbors.h"

#include "audit/Walk.h"

#include "llvm/ADT/STLExtras.h"

#include <set>
#include <tuple>

using llvm::StringRef;

namespace autoprof::audit {

using catalogue::CallClass;

Neighbors::Neighbors(const Project &P, unsigned Function)
    : P(P), F(P.functions()[Function]), Previous(F.Model->Blocks.size()) {
  for (unsigned B = 0; B < F.Model->Blocks.size(); ++B)
    for (unsigned Next : F.Model->Blocks[B].Next)
      Previous[Next].push_back(B);
}

std::vector<Neighbors::Position> Neighbors::positions(Event::Kind Kind,
                                                      unsigned Index) const {
  std::vector<Position> Result;
  for (EventRef At : eventsOf(*F.Model, Kind, Index))
    Result.push_back({At.Block, int(At.Index)});
  return Result;
}

std::vector<Neighbors::Position>
Neighbors::positions(const LinkedSite &S) const {
  return positions(Event::SiteReached, S.Model - F.Model->Sites.data());
}

/// Unknown calls may launch and wait.
static Summary anything() {
  Summary Result;
  Result.MayLaunch = Result.MayWait = Result.CallsUnknown = true;
  Result.AccessesMemory = true;
  return Result;
}

Moment Neighbors::momentOf(const Event &E) const {
  Moment Result;
  Result.Location = E.Location;
  switch (E.Class) {
  case Event::SiteReached:
    Result.Class = Moment::Site;
    Result.Linked = &P.sites()[F.Sites[E.Index]];
    break;
  case Event::UnknownCall:
    Result.Class = Moment::Call;
    Result.Effects = anything();
    break;
  case Event::CallMade:
    Result.Class = Moment::Call;
    Result.Made = &F.Model->Calls[E.Index];
    Result.Name = F.Model->Calls[E.Index].Name;
    Result.Uncertain = F.Model->Calls[E.Index].Uncertain;
    Result.Virtual = F.Model->Calls[E.Index].Virtual;
    if (F.Callees[E.Index].size() == 1)
      Result.Callee = F.Callees[E.Index].front();
    if (F.Callees[E.Index].empty())
      Result.Effects = anything();
    for (unsigned Callee : F.Callees[E.Index]) {
      const Summary &Effects = P.functions()[Callee].Effects;
      Result.Effects.MayLaunch |= Effects.MayLaunch;
      Result.Effects.MayWait |= Effects.MayWait;
      Result.Effects.ReadsClock |= Effects.ReadsClock;
      Result.Effects.UsesApi |= Effects.UsesApi;
      Result.Effects.AsksForErrors |= Effects.AsksForErrors;
      Result.Effects.Blocks |= Effects.Blocks;
      Result.Effects.HandsOver |= Effects.HandsOver;
      Result.Effects.TouchesShared |= Effects.TouchesShared;
      Result.Effects.AccessesMemory |= Effects.AccessesMemory;
      Result.Effects.CallsUnknown |= Effects.CallsUnknown;
    }
    break;
  case Event::Clock:
    Result.Class = Moment::Clock;
    break;
  case Event::Read:
  case Event::Written:
    Result.Class = Moment::HostData;
    Result.Writes = E.Class == Event::Written;
    Result.Cell = E.Index;
    break;
  case Event::HandsOver:
    Result.Effects.HandsOver = true;
    Result.Class = Moment::Call;
    break;
  case Event::Passed:
    Result.Class = Moment::Call;
    Result.Cell = E.Index;
    break;
  case Event::Touched:
    Result.Class = P.touchesShared(F, E) ? Moment::HostData : Moment::Call;
    break;
  case Event::Accessed:
    Result.Class = Moment::Call;
    Result.Effects.AccessesMemory = true;
    break;
  case Event::Dies:
  case Event::Blocks:
  case Event::Awaits:
  case Event::LaunchBlocking:
    Result.Class = Moment::Call; // A call that has no effect of interest here.
    break;
  }
  return Result;
}

bool Neighbors::isOnErrorPath(const Event &E) const {
  if (E.Class == Event::SiteReached)
    return P.sites()[F.Sites[E.Index]].OnErrorPath;
  return E.Class == Event::CallMade &&
         P.isOnErrorPath(*F.Model, F.Model->Calls[E.Index].Scope);
}

std::vector<Moment> Neighbors::search(std::vector<Position> Worklist,
                                      bool Forward, Passes MayPass) const {
  std::vector<Moment> Found;
  std::set<std::tuple<int, std::string, unsigned>> Known;
  auto Stop = [&](Moment M) {
    if (Known.insert({M.Class, M.Location.File, M.Location.Offset}).second)
      Found.push_back(std::move(M));
  };
  std::set<unsigned> Entered;
  const int Step = Forward ? 1 : -1;
  while (!Worklist.empty()) {
    auto [B, Index] = Worklist.back();
    Worklist.pop_back();
    const Block &Current = F.Model->Blocks[B];
    bool Stopped = Current.GivesUp;
    for (int I = Index + Step;
         !Stopped && I >= 0 && I < int(Current.Events.size()); I += Step) {
      if (isOnErrorPath(Current.Events[I])) {
        Stopped = true;
        continue;
      }
      Moment M = momentOf(Current.Events[I]);
      if (MayPass(M))
        continue;
      Stop(std::move(M));
      Stopped = true;
    }
    if (Stopped)
      continue;
    const std::vector<unsigned> &Onwards = Forward ? Current.Next : Previous[B];
    if (Onwards.empty())
      Stop({});
    for (unsigned Next : Onwards)
      if (Entered.insert(Next).second)
        Worklist.push_back(
            {Next, Forward ? -1 : int(F.Model->Blocks[Next].Events.size())});
  }
  return Found;
}

std::vector<Moment> Neighbors::following(const LinkedSite &S,
                                         Passes MayPass) const {
  return search(positions(S), true, MayPass);
}

std::vector<Moment> Neighbors::preceding(const LinkedSite &S,
                                         Passes MayPass) const {
  return search(positions(S), false, MayPass);
}

std::vector<Moment> Neighbors::precedingCall(unsigned Call,
                                             Passes MayPass) const {
  return search(positions(Event::CallMade, Call), false, MayPass);
}

std::vector<Moment> Neighbors::afterBegin(Passes MayPass) const {
  if (F.Model->Blocks.empty())
    return {};
  return search({{0, -1}}, true, MayPass);
}

std::vector<Moment> Neighbors::beforeEnd(Passes MayPass) const {
  std::vector<Position> Ends;
  for (unsigned B = 0; B < F.Model->Blocks.size(); ++B)
    if (F.Model->Blocks[B].Next.empty() && (B == 0 || !Previous[B].empty()))
      Ends.push_back({B, int(F.Model->Blocks[B].Events.size())});
  return search(std::move(Ends), false, MayPass);
}

bool asksForErrors(const Moment &M) {
  return M.isSite("cudaGetLastError") || M.isSite("cudaPeekAtLastError") ||
         (M.Class == Moment::Call && M.Effects.AsksForErrors && isQuiet(M));
}

static bool isEventTime(const LinkedSite &S) {
  return S.cudaRow().ends_with("EventElapsedTime");
}

bool isQuiet(const Moment &M) {
  switch (M.Class) {
  case Moment::Site:
    return M.Linked->kind() == CallClass::Query && !isEventTime(*M.Linked);
  case Moment::Call:
    return !M.Effects.MayLaunch && !M.Effects.MayWait &&
           !M.Effects.ReadsClock && !M.Effects.TouchesShared;
  case Moment::HostData:
  case Moment::Clock:
  case Moment::Edge:
    break;
  }
  return false;
}

bool isClock(const Moment &M) {
  if (M.Class == Moment::Site)
    return isEventTime(*M.Linked);
  return M.Class == Moment::Clock ||
         (M.Class == Moment::Call && M.Effects.ReadsClock &&
          !M.Effects.MayLaunch && !M.Effects.MayWait);
}

/// Whether a runtime call only creates or destroys an object.
static bool onlyManages(const LinkedSite &S) {
  StringRef Name = S.cudaRow();
  return S.kind() == CallClass::Other &&
         S.Effects.Wait == catalogue::Waits::No &&
         (Name.contains("Create") || Name.contains("Destroy"));
}

bool givesUpObject(const Moment &M) {
  if (M.Class != Moment::Site)
    return false;
  const StringRef Name = M.Linked->cudaRow();
  for (StringRef Word : {"Destroy", "Free", "Unregister", "Unmap", "Unbind"})
    if (Name.contains(Word))
      return true;
  return false;
}

bool handsOver(const Moment &M) {
  return M.Class == Moment::Call && M.Effects.HandsOver && !M.Effects.UsesApi &&
         !M.Effects.MayLaunch;
}

bool queuesNothing(const Moment &M) {
  switch (M.Class) {
  case Moment::Site: {
    const CallClass Kind = M.Linked->kind();
    if (M.Linked->QueuesWork || M.Linked->cudaRow().contains("Async"))
      return false;
    return Kind == CallClass::Sync || Kind == CallClass::Query ||
           Kind == CallClass::Alloc || Kind == CallClass::Free ||
           onlyManages(*M.Linked);
  }
  case Moment::Call:
    return !M.Effects.MayLaunch;
  case Moment::HostData:
  case Moment::Clock:
    return true;
  case Moment::Edge:
    break;
  }
  return false;
}

} // namespace autoprof::audit
