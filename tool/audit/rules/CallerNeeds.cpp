// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/rules/CallerNeeds.h"

#include "audit/Walk.h"
#include "audit/rules/Common.h"
#include "audit/rules/Order.h"
#include "audit/rules/Outstanding.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::CallClass;
using catalogue::Fact;
using catalogue::Waits;

namespace {

/// One caller's loop around a call.
class CallerLoop {
  const Project &P;
  const LinkedFunction &F;
  const LinkedFunction::Caller Through;
  const int Loop;
  std::vector<int> Sources;      ///< Cells that asynchronous copies read.
  bool CopiesHostMemory = false; ///< In either direction, asynchronously.
  std::vector<const LinkedSite *> Work;
  int Inner = -1; ///< The function of the wait, if the call calls it.

public:
  CallerLoop(const Project &P, LinkedFunction::Caller C)
      : P(P), F(P.functions()[C.Function]), Through(C),
        Loop(P.loopAround(C.Function, F.Model->Calls[C.Call].Scope)) {
    for (unsigned I : F.Sites) {
      const LinkedSite &S = P.sites()[I];
      if (S.QueuesWork && isInside(S.Model->Location))
        Work.push_back(&S);
      if (S.kind() != CallClass::Copy || S.Effects.Wait == Waits::Yes)
        continue;
      const uint32_t Direction = catalogue::settled(S.Known)[Fact::Direction];
      CopiesHostMemory |= (Direction & (DtoH | HtoD)) != 0;
      if (const Arg *Source = argument(S, 1);
          Source && Source->Cell >= 0 && (Direction & HtoD))
        Sources.push_back(Source->Cell);
    }
  }

  bool isLoop() const { return Loop >= 0; }

  /// What the function of the wait itself queues.
  void addWorkOf(const LinkedSite &Wait, bool IsDirect) {
    for (unsigned I : P.functions()[Wait.Function].Sites) {
      const LinkedSite &S = P.sites()[I];
      if (S.kind() != CallClass::Copy || S.Effects.Wait == Waits::Yes ||
          !isOutstanding(P, Wait, S))
        continue;
      const uint32_t Direction = catalogue::settled(S.Known)[Fact::Direction];
      CopiesHostMemory |= (Direction & (DtoH | HtoD)) != 0;
    }
    if (IsDirect)
      Inner = Wait.Function;
  }

  void add(CallerNeeds &Out) const {
    addOrder(Out);
    for (EventRef Made : eventsOf(*F.Model, Event::CallMade, Through.Call))
      walkForward(*F.Model, Made, [&](const Event &E) {
        if (E.Class == Event::CallMade && E.Index == Through.Call)
          return false;
        if (isInside(E.Location))
          addEvent(E, Out);
        return true;
      });
  }

private:
  bool isInside(const Place &Location) const {
    return Loop < 0 ||
           (Location.Offset >= F.Model->Scopes[Loop].Location.Offset &&
            Location.Offset <= F.Model->Scopes[Loop].End);
  }

  /// Two streams, of which none orders the other's work.
  void addOrder(CallerNeeds &Out) const {
    std::vector<StreamUse> Inside;
    if (Inner >= 0) {
      Moment Made;
      Made.Class = Moment::Call;
      Made.Callee = Inner;
      Made.Made = &F.Model->Calls[Through.Call];
      Inside = streamsOfCall(P, Made);
    }
    for (const LinkedSite *Later : Work) {
      const StreamUse After = streamOf(P, *Later);
      auto IsLost = [&](const StreamUse &Before) {
        return orderOf(Before, After) == Order::Lost;
      };
      if (!Out.Unordered.Line && isAfterCall(*Later) &&
          (llvm::any_of(Inside, IsLost) ||
           llvm::any_of(Work, [&](const LinkedSite *S) {
             return S != Later && IsLost(streamOf(P, *S));
           })))
        Out.Unordered = Later->Model->Location;
    }
  }

  bool isAfterCall(const LinkedSite &S) const {
    return S.Model->Location.Offset >
           F.Model->Calls[Through.Call].Location.Offset;
  }

  void addEvent(const Event &E, CallerNeeds &Out) const {
    auto Note = [&](Place &Where) {
      if (!Where.Line)
        Where = E.Location;
    };
    switch (E.Class) {
    case Event::Written:
    case Event::Dies:
    case Event::Passed:
      if (!E.ReadOnly && llvm::is_contained(Sources, int(E.Index)))
        Note(Out.Changes);
      break;
    case Event::Accessed:
    case Event::UnknownCall:
      if (CopiesHostMemory)
        Note(Out.Accesses);
      break;
    case Event::CallMade:
      if (CopiesHostMemory && mayAccess(E.Index))
        Note(Out.Accesses);
      break;
    default:
      break;
    }
  }

  /// Unknown calls on the line of a call of the API check its result.
  bool mayAccess(unsigned Call) const {
    const Place &Location = F.Model->Calls[Call].Location;
    if (F.Callees[Call].empty())
      return llvm::none_of(F.Model->Sites, [&](const Site &S) {
        return S.Location.Line == Location.Line &&
               S.Location.File == Location.File;
      });
    return llvm::any_of(F.Callees[Call], [&](unsigned Callee) {
      return P.functions()[Callee].Effects.AccessesMemory;
    });
  }
};

void addCallers(const Project &P, const LinkedSite &Wait, unsigned Function,
                unsigned Depth, CallerNeeds &Out) {
  constexpr unsigned MostCallers = 4;
  for (const LinkedFunction::Caller &C : P.functions()[Function].Callers) {
    // Not a call before or after the loop.
    if (Depth == 0 && !P.hotThrough(Wait, C).IsHot)
      continue;
    CallerLoop Around(P, C);
    Around.addWorkOf(Wait, Depth == 0);
    Around.add(Out);
    if (!Around.isLoop() && Depth < MostCallers)
      addCallers(P, Wait, C.Function, Depth + 1, Out);
  }
}

} // namespace

CallerNeeds neededByCallers(const Project &P, const LinkedSite &Wait) {
  CallerNeeds Result;
  addCallers(P, Wait, Wait.Function, 0, Result);
  return Result;
}

} // namespace autoprof::audit
