// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/FirstUse.h"

#include "audit/Walk.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::CallClass;
using catalogue::Fact;

llvm::StringRef name(FirstUse::Kind K) {
  constexpr llvm::StringLiteral Names[] = {
      "unknown", "at_once", "same_iteration", "next_iteration", "after_loop"};
  return Names[unsigned(K)];
}

namespace {

/// A wait in the control flow of its function.
class Surroundings {
  const Project &P;
  const LinkedFunction &F;
  const LinkedSite &Wait;

public:
  Surroundings(const Project &P, const LinkedSite &Wait)
      : P(P), F(P.functions()[Wait.Function]), Wait(Wait) {}

  /// Null if the event is not a site.
  const LinkedSite *siteOf(const Event &E) const {
    return E.Class == Event::SiteReached ? &P.sites()[F.Sites[E.Index]]
                                         : nullptr;
  }
  bool isWait(const Event &E) const {
    const LinkedSite *S = siteOf(E);
    return S && S->kind() == CallClass::Sync &&
           S->Effects.Wait == catalogue::Waits::Yes;
  }

  void forward(Visitor Visit) const {
    for (EventRef At : own())
      walkForward(*F.Model, At, [&](const Event &E) {
        return siteOf(E) != &Wait && Visit(E);
      });
  }
  void backward(Visitor Visit) const {
    for (EventRef At : own())
      walkBackward(*F.Model, At, [&](const Event &E) {
        return siteOf(E) != &Wait && Visit(E);
      });
  }

  /// Whether the event may queue work.
  bool queues(const Event &E) const {
    if (const LinkedSite *S = siteOf(E))
      return S->QueuesWork;
    return E.Class == Event::CallMade &&
           llvm::any_of(F.Callees[E.Index], [&](unsigned Callee) {
             return P.functions()[Callee].Effects.Queues;
           });
  }

private:
  std::vector<EventRef> own() const {
    return eventsOf(*F.Model, Event::SiteReached,
                    Wait.Model - F.Model->Sites.data());
  }
};

bool isHostUse(const Event &E, int Cell) {
  return (E.Class == Event::Read || E.Class == Event::Passed) &&
         int(E.Index) == Cell;
}

/// The host side of a copy in this direction, as a cell; -1 for other calls.
int hostCell(const LinkedSite &S, uint32_t Direction) {
  if (S.kind() != CallClass::Copy ||
      catalogue::settled(S.Known)[Fact::Direction] != Direction)
    return -1;
  const unsigned Number = Direction == DtoH ? 0 : 1;
  return Number < S.Model->Args.size() ? S.Model->Args[Number].Cell : -1;
}

/// The memory that the host and the arguments of a kernel share.
template <typename Add>
void addShared(const Project &P, const LinkedSite &Launch, Add AddCell) {
  if (Launch.Row || Launch.Captured)
    return;
  for (const Arg &A : Launch.Model->Args)
    if (A.Cell >= 0 &&
        !(P.resolve(Launch, A.Val).Mask & ~uint32_t(Managed | Pinned)))
      AddCell(A);
}

/// Whether a copy replaces all of the variable: what the host reads afterwards
/// is the result of that copy.
bool replaces(const Surroundings &Around, const Function &F, const Event &E,
              int Cell) {
  const LinkedSite *Copy = Around.siteOf(E);
  if (!Copy || hostCell(*Copy, DtoH) != Cell)
    return false;
  llvm::StringRef Text = Copy->Model->Args[0].Text;
  Text.consume_front("&");
  if (!Text.consume_back(".data()"))
    Text.consume_back(".get()");
  return Text == F.Cells[Cell].Name;
}

/// The variables that a graph may write: those that some copy of the function
/// writes, because the graph's own copies are not known.
template <typename Add>
void addWrittenByGraph(const Project &P, const LinkedSite &Launch,
                       Add AddCell) {
  if (!Launch.cudaRow().contains("GraphLaunch"))
    return;
  for (unsigned I : P.functions()[Launch.Function].Sites)
    AddCell(hostCell(P.sites()[I], DtoH));
}

} // namespace

std::vector<int> cellsCompletedBy(const Project &P, const LinkedSite &S) {
  std::vector<int> Result;
  auto Add = [&Result](int Cell) {
    if (Cell >= 0 && !llvm::is_contained(Result, Cell))
      Result.push_back(Cell);
  };
  Add(hostCell(S, DtoH));
  if (S.kind() != CallClass::Sync)
    return Result;
  const Surroundings Around(P, S);
  Around.backward([&](const Event &E) {
    if (const LinkedSite *Work = Around.siteOf(E)) {
      // A copy that waits is complete when it returns.
      if (Work->Effects.Wait != catalogue::Waits::Yes)
        Add(hostCell(*Work, DtoH));
      addWrittenByGraph(P, *Work, Add);
      addShared(P, *Work, [&](const Arg &A) {
        if (A.MayWrite)
          Add(A.Cell);
      });
    }
    return !Around.isWait(E);
  });
  return Result;
}

bool isInLoopOf(const Project &P, const LinkedSite &S, const Place &Position) {
  const int Loop = P.loopAround(S.Function, S.Model->Scope);
  if (Loop < 0)
    return true;
  const Scope &L = P.functionOf(S).Scopes[Loop];
  return Position.Offset >= L.Location.Offset && Position.Offset <= L.End;
}

/// Whether the function returns the value that is read there.
static bool isReturn(const Function &F, const Event &E) {
  return E.Class == Event::Read &&
         llvm::any_of(F.Returns, [&](const Place &Loaded) {
           return Loaded.File == E.Location.File &&
                  Loaded.Offset == E.Location.Offset;
         });
}

FirstUse firstUse(const Project &P, const LinkedSite &S,
                  llvm::ArrayRef<int> Cells) {
  FirstUse Result;
  if (Cells.empty())
    return Result;
  const Surroundings Around(P, S);
  auto KindOf = [&](const Place &Location) {
    return !isInLoopOf(P, S, Location) ? FirstUse::AfterLoop
           : Location.Offset < S.Model->Location.Offset
               ? FirstUse::NextIteration
               : FirstUse::SameIteration;
  };
  auto Consider = [&](const Event &E, int Cell, bool AtOnce) {
    if (!isHostUse(E, Cell))
      return;
    FirstUse::Kind When = KindOf(E.Location);
    if (When == FirstUse::SameIteration && AtOnce)
      When = FirstUse::AtOnce;
    const bool IsSooner =
        Result.When == FirstUse::Unknown || When < Result.When ||
        (When == Result.When && E.Location.Offset < Result.Location.Offset);
    if (IsSooner)
      Result = {When, E.Location, isReturn(P.functionOf(S), E)};
  };
  for (int Cell : Cells)
    for (const bool AtOnce : {true, false})
      Around.forward([&](const Event &E) {
        // What the host reads after it has written there may be its own.
        const bool Overwrites = E.Class == Event::Written &&
                                int(E.Index) == Cell &&
                                !isInLoopOf(P, S, E.Location);
        if (Overwrites || replaces(Around, P.functionOf(S), E, Cell))
          return false;
        Consider(E, Cell, AtOnce);
        return !AtOnce || !Around.queues(E);
      });
  return Result;
}

namespace {

/// The accesses of the host to memory that the GPU may share, after a wait and
/// before the next one for the same work.
class SharedAccesses {
  const Project &P;
  const LinkedSite &Wait;
  const Surroundings Around;
  std::vector<int> Cells; ///< Memory that kernels before the wait are given.
  std::vector<int> Known; ///< The same, if it is certain that it is shared.
  FirstUse Result;

public:
  SharedAccesses(const Project &P, const LinkedSite &Wait)
      : P(P), Wait(Wait), Around(P, Wait) {
    Around.backward([&](const Event &E) {
      const LinkedSite *Work = Around.siteOf(E);
      if (Work && !Work->Row && !Work->Captured)
        for (const Arg &A : Work->Model->Args)
          if (mayBeShared(*Work, A)) {
            Cells.push_back(A.Cell);
            if (!(P.resolve(*Work, A.Val).Mask & ~uint32_t(Managed | Pinned)))
              Known.push_back(A.Cell);
          }
      return !Around.isWait(E);
    });
  }

  FirstUse find() {
    const LinkedFunction &F = P.functions()[Wait.Function];
    for (const bool AtOnce : {true, false})
      Around.forward([&](const Event &E) {
        consider(F, E, AtOnce);
        return !isSameWait(E) && (!AtOnce || !Around.queues(E));
      });
    if (Result.When == FirstUse::Unknown &&
        P.loopAround(Wait.Function, Wait.Model->Scope) < 0)
      findInCallers(Wait.Function, 0);
    return Result;
  }

private:
  /// What the host accesses through the same variable is not only on the GPU.
  bool mayBeShared(const LinkedSite &Work, const Arg &A) const {
    // The host reads `buffers` to launch with `buffers[i]`.
    if (A.Cell < 0 || P.functionOf(Work).Cells[A.Cell].Rebound ||
        A.Text.find_first_of("[(*") != std::string::npos)
      return false;
    const Resolved Memory = P.resolve(Work, A.Val);
    return !Memory.known() || (Memory.Mask & (Managed | Pinned));
  }

  /// A wait for the device, or the same call once more.
  bool isSameWait(const Event &E) const {
    const LinkedSite *S = Around.siteOf(E);
    if (!S || !Around.isWait(E))
      return false;
    const std::vector<Arg> &Own = Wait.Model->Args, &Its = S->Model->Args;
    return S->Effects.Target == catalogue::WaitsFor::Device ||
           (S->Model->Row == Wait.Model->Row && !Own.empty() && !Its.empty() &&
            Own.front().Text == Its.front().Text);
  }

  /// The name of the memory that an event accesses; none if it accesses none
  /// that is shared.
  std::optional<std::string> accessed(const LinkedFunction &F, const Event &E,
                                      bool IsOwn) const {
    if (P.touchesShared(F, E))
      return F.Model->Touches[E.Index].Name;
    if (IsOwn && (E.Class == Event::Read || E.Class == Event::Written) &&
        llvm::is_contained(Cells, int(E.Index)))
      return F.Model->Cells[E.Index].Name;
    if (IsOwn && E.Class == Event::Passed &&
        llvm::is_contained(Known, int(E.Index)))
      return F.Model->Cells[E.Index].Name;
    if (E.Class != Event::CallMade)
      return std::nullopt;
    // A function that also queues work may wait for it.
    const bool Touches =
        llvm::any_of(F.Callees[E.Index], [this](unsigned Callee) {
          const Summary &Effects = P.functions()[Callee].Effects;
          return Effects.TouchesShared && !Effects.Queues;
        });
    return Touches ? std::optional<std::string>("") : std::nullopt;
  }

  void consider(const LinkedFunction &F, const Event &E, bool AtOnce) {
    const std::optional<std::string> Name = accessed(F, E, true);
    if (!Name)
      return;
    // Nothing is queued before the access, even if it is in the next
    // iteration.
    const FirstUse::Kind When =
        !isInLoopOf(P, Wait, E.Location) ? FirstUse::AfterLoop
        : AtOnce                         ? FirstUse::AtOnce
        : E.Location.Offset < Wait.Model->Location.Offset
            ? FirstUse::NextIteration
            : FirstUse::SameIteration;
    // In the order of the loop from the wait: what is before it comes later.
    auto Order = [this](const Place &At) {
      return std::pair(At.Offset < Wait.Model->Location.Offset, At.Offset);
    };
    if (Result.When == FirstUse::Unknown || When < Result.When ||
        (When == Result.When && Order(E.Location) < Order(Result.Location)))
      Result = {When, E.Location, false, true, *Name};
  }

  /// What follows the calls of the wait's function, in the loops around them.
  void findInCallers(unsigned Function, unsigned Depth) {
    constexpr unsigned MostCallers = 4;
    for (const LinkedFunction::Caller &C : P.functions()[Function].Callers) {
      const LinkedFunction &F = P.functions()[C.Function];
      const int Loop = P.loopAround(C.Function, F.Model->Calls[C.Call].Scope);
      auto IsInLoop = [&](const Place &Location) {
        return Loop < 0 ||
               (Location.Offset >= F.Model->Scopes[Loop].Location.Offset &&
                Location.Offset <= F.Model->Scopes[Loop].End);
      };
      for (EventRef Made : eventsOf(*F.Model, Event::CallMade, C.Call))
        walkForward(*F.Model, Made, [&](const Event &E) {
          if (E.Class == Event::CallMade && E.Index == C.Call)
            return false;
          if (std::optional<std::string> Name = accessed(F, E, false);
              Name && IsInLoop(E.Location) && Result.When == FirstUse::Unknown)
            Result = {FirstUse::AtOnce, E.Location, false, true, *Name};
          return Result.When == FirstUse::Unknown;
        });
      if (Result.When != FirstUse::Unknown)
        return;
      if (Loop < 0 && Depth < MostCallers)
        findInCallers(C.Function, Depth + 1);
    }
  }
};

} // namespace

/// Whether the place may be reached in the loop by the functions called there.
static bool mayBeInLoop(const Project &P, const FieldTouch &At, const Hot &H) {
  const LinkedFunction &F = P.functions()[At.Function];
  if (At.Function == H.Function) {
    const Scope &L = F.Model->Scopes[H.Loop];
    return At.Location.Offset >= L.Location.Offset &&
           At.Location.Offset <= L.End;
  }
  return P.isWithin(At.Function, -1, H.Function, H.Loop) ||
         P.isAddressTaken(At.Function) ||
         (F.Callers.empty() && F.Model->Name != "main");
}

/// An access of a function in the loop, by way of a field or global variable,
/// to the destination of a copy that the wait completes.
static FirstUse useThroughField(const Project &P, const LinkedSite &Wait) {
  FirstUse Result;
  const Hot H = P.hot(Wait);
  if (!H.IsHot)
    return Result;
  const bool HasLoop = P.loopAround(Wait.Function, Wait.Model->Scope) >= 0;
  const Surroundings Around(P, Wait);
  auto Consider = [&](const FieldTouch &At) {
    const bool IsOwn = At.Function == Wait.Function;
    if (!Result.Location.Line && !(IsOwn && HasLoop) &&
        P.mayShareProgram(Wait.Function, At.Function) && mayBeInLoop(P, At, H))
      Result = {FirstUse::NextIteration, At.Location, false, false, "", true};
  };
  Around.backward([&](const Event &E) {
    const LinkedSite *Copy = Around.siteOf(E);
    if (Copy && Copy->kind() == CallClass::Copy &&
        Copy->Effects.Wait != catalogue::Waits::Yes &&
        (catalogue::settled(Copy->Known)[Fact::Direction] & DtoH) &&
        !Copy->Model->Args.empty())
      for (const std::string &Slot : Copy->Model->Args[0].Val.Slots)
        llvm::for_each(P.touchesThrough(Slot), Consider);
    return !Around.isWait(E);
  });
  return Result;
}

FirstUse firstUse(const Project &P, const LinkedSite &S) {
  FirstUse Use = firstUse(P, S, cellsCompletedBy(P, S));
  if (S.kind() != CallClass::Sync)
    return Use;
  if (Use.When == FirstUse::Unknown || Use.When == FirstUse::AfterLoop)
    if (FirstUse Elsewhere = useThroughField(P, S);
        Elsewhere.When != FirstUse::Unknown)
      Use = Elsewhere;
  FirstUse Shared = SharedAccesses(P, S).find();
  const bool IsSooner =
      Shared.When != FirstUse::Unknown &&
      (Use.When == FirstUse::Unknown || Shared.When <= Use.When);
  return IsSooner && !Use.Returned ? Shared : Use;
}

Place endOfLifetime(
    const Project &P, const LinkedSite &Wait,
    llvm::function_ref<bool(const LinkedSite &Work)> IsOutstanding) {
  const Surroundings Around(P, Wait);
  std::vector<int> Read;
  Around.backward([&](const Event &E) {
    if (const LinkedSite *Work = Around.siteOf(E)) {
      // A copy that waits has read its source when it returns.
      if (int Cell = hostCell(*Work, HtoD);
          Cell >= 0 && Work->Effects.Wait != catalogue::Waits::Yes &&
          IsOutstanding(*Work))
        Read.push_back(Cell);
      addShared(P, *Work, [&](const Arg &A) {
        if (IsOutstanding(*Work))
          Read.push_back(A.Cell);
      });
    }
    return !Around.isWait(E);
  });
  Place Result;
  Around.forward([&](const Event &E) {
    const LinkedSite *S = Around.siteOf(E);
    const bool Frees = S && S->kind() == CallClass::Free &&
                       !S->Model->Args.empty() &&
                       llvm::is_contained(Read, S->Model->Args[0].Cell);
    const bool Changes =
        (E.Class == Event::Written || E.Class == Event::Dies) &&
        llvm::is_contained(Read, int(E.Index));
    if ((Frees || Changes) && !Result.Line && isInLoopOf(P, Wait, E.Location))
      Result = E.Location;
    return !Around.isWait(E);
  });
  return Result;
}

} // namespace autoprof::audit
