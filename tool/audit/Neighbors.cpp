// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Neighbors.h"

#include "llvm/ADT/STLExtras.h"

#include <set>
#include <tuple>

using llvm::StringRef;

namespace autoprof::audit {

using catalogue::CallClass;

Neighbors::Neighbors(const Project &P, unsigned Function)
    : P(P), F(P.functions()[Function]), Previous(F.Its->Blocks.size()) {
  for (unsigned B = 0; B < F.Its->Blocks.size(); ++B)
    for (unsigned Next : F.Its->Blocks[B].Next)
      Previous[Next].push_back(B);
}

std::vector<Neighbors::Position>
Neighbors::positions(const LinkedSite &S) const {
  const unsigned Number = S.Its - F.Its->Sites.data();
  std::vector<Position> Result;
  for (unsigned B = 0; B < F.Its->Blocks.size(); ++B) {
    const std::vector<Event> &Events = F.Its->Blocks[B].Events;
    for (unsigned I = 0; I < Events.size(); ++I)
      if (Events[I].What == Event::SiteReached && Events[I].Index == Number)
        Result.push_back({B, int(I)});
  }
  return Result;
}

/// What is not known may launch and wait.
static Summary anything() {
  Summary Result;
  Result.MayLaunch = Result.MayWait = true;
  return Result;
}

Moment Neighbors::momentOf(const Event &E) const {
  Moment Result;
  Result.At = E.At;
  switch (E.What) {
  case Event::SiteReached:
    Result.What = Moment::Site;
    Result.Its = &P.sites()[F.Sites[E.Index]];
    break;
  case Event::UnknownCall:
    Result.What = Moment::Call;
    Result.Does = anything();
    break;
  case Event::CallMade:
    Result.What = Moment::Call;
    Result.Name = F.Its->Calls[E.Index].Name;
    if (F.Callees[E.Index].size() == 1)
      Result.Callee = F.Callees[E.Index].front();
    if (F.Callees[E.Index].empty())
      Result.Does = anything();
    for (unsigned Callee : F.Callees[E.Index]) {
      const Summary &Does = P.functions()[Callee].Does;
      Result.Does.MayLaunch |= Does.MayLaunch;
      Result.Does.MayWait |= Does.MayWait;
      Result.Does.ReadsClock |= Does.ReadsClock;
      Result.Does.UsesApi |= Does.UsesApi;
      Result.Does.AsksForErrors |= Does.AsksForErrors;
      Result.Does.Blocks |= Does.Blocks;
    }
    break;
  case Event::Clock:
    Result.What = Moment::Clock;
    break;
  case Event::Read:
  case Event::Written:
    Result.What = Moment::HostData;
    Result.Cell = E.Index;
    break;
  case Event::Passed:
  case Event::Dies:
  case Event::Blocks:
  case Event::LaunchBlocking:
    Result.What = Moment::Call; // of nothing that matters here
    break;
  }
  return Result;
}

bool Neighbors::isOnErrorPath(const Event &E) const {
  if (E.What == Event::SiteReached)
    return P.sites()[F.Sites[E.Index]].OnErrorPath;
  return E.What == Event::CallMade &&
         P.isOnErrorPath(*F.Its, F.Its->Calls[E.Index].Scope);
}

std::vector<Moment> Neighbors::search(const LinkedSite &S, bool Forward,
                                      Passes Goes) const {
  std::vector<Moment> Found;
  std::set<std::tuple<int, std::string, unsigned>> Known;
  auto Stop = [&](Moment M) {
    if (Known.insert({M.What, M.At.File, M.At.Offset}).second)
      Found.push_back(std::move(M));
  };
  std::vector<Position> Open = positions(S);
  std::set<unsigned> Entered;
  const int Step = Forward ? 1 : -1;
  while (!Open.empty()) {
    auto [B, At] = Open.back();
    Open.pop_back();
    const Block &Here = F.Its->Blocks[B];
    bool Stopped = Here.GivesUp;
    for (int I = At + Step; !Stopped && I >= 0 && I < int(Here.Events.size());
         I += Step) {
      if (isOnErrorPath(Here.Events[I])) {
        Stopped = true;
        continue;
      }
      Moment M = momentOf(Here.Events[I]);
      if (Goes(M))
        continue;
      Stop(std::move(M));
      Stopped = true;
    }
    if (Stopped)
      continue;
    const std::vector<unsigned> &Onwards = Forward ? Here.Next : Previous[B];
    if (Onwards.empty())
      Stop({});
    for (unsigned Next : Onwards)
      if (Entered.insert(Next).second)
        Open.push_back(
            {Next, Forward ? -1 : int(F.Its->Blocks[Next].Events.size())});
  }
  return Found;
}

std::vector<Moment> Neighbors::after(const LinkedSite &S, Passes Goes) const {
  return search(S, true, Goes);
}

std::vector<Moment> Neighbors::before(const LinkedSite &S, Passes Goes) const {
  return search(S, false, Goes);
}

bool asksForErrors(const Moment &M) {
  return M.isSite("cudaGetLastError") || M.isSite("cudaPeekAtLastError") ||
         (M.What == Moment::Call && M.Does.AsksForErrors && isQuiet(M));
}

static bool isEventTime(const LinkedSite &S) {
  return StringRef(S.Its->Row).ends_with("EventElapsedTime");
}

bool isQuiet(const Moment &M) {
  switch (M.What) {
  case Moment::Site:
    return M.Its->kind() == CallClass::Query && !isEventTime(*M.Its);
  case Moment::Call:
    return !M.Does.MayLaunch && !M.Does.MayWait && !M.Does.ReadsClock;
  case Moment::HostData:
  case Moment::Clock:
  case Moment::Edge:
    break;
  }
  return false;
}

bool isClock(const Moment &M) {
  if (M.What == Moment::Site)
    return isEventTime(*M.Its);
  return M.What == Moment::Clock ||
         (M.What == Moment::Call && M.Does.ReadsClock && !M.Does.MayLaunch &&
          !M.Does.MayWait);
}

/// The runtime's calls that only make or destroy an object.
static bool onlyManages(const LinkedSite &S) {
  StringRef Name = S.Its->Row;
  return S.kind() == CallClass::Other && S.Does.Wait == catalogue::Waits::No &&
         (Name.contains("Create") || Name.contains("Destroy"));
}

bool queuesNothing(const Moment &M) {
  switch (M.What) {
  case Moment::Site: {
    const CallClass Kind = M.Its->kind();
    if (M.Its->QueuesWork || StringRef(M.Its->Its->Row).contains("Async"))
      return false;
    return Kind == CallClass::Sync || Kind == CallClass::Query ||
           Kind == CallClass::Alloc || Kind == CallClass::Free ||
           onlyManages(*M.Its);
  }
  case Moment::Call:
    return !M.Does.MayLaunch;
  case Moment::HostData:
  case Moment::Clock:
    return true;
  case Moment::Edge:
    break;
  }
  return false;
}

} // namespace autoprof::audit
