// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-unsafe-early-read, autoprof-unsafe-buffer-lifetime
// -----------------------------------------------------------
// An asynchronous copy of pinned memory has only been queued when its call
// returns. Until a wait, the host must not read its destination, nor change or
// free its source. These rules find missing waits, perhaps ones that were
// removed.
//
// They follow the control flow from the copy and report a use that every path
// from the copy reaches without a wait. Whatever may wait counts as a wait for
// this copy: any call that may wait, even for another stream, and any user
// function that uses CUDA or is not visible. Memory that cannot be told apart
// from other memory (one of several buffers, a part of one, a pointer that is
// reassigned) is ignored.
#include "audit/rules/Common.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::CallClass;
using llvm::StringRef;

namespace {

struct Position {
  unsigned Block;
  size_t Event;
  bool operator<(const Position &O) const {
    return std::tie(Block, Event) < std::tie(O.Block, O.Event);
  }
};
using Positions = std::set<Position>;

/// Where control can go from a copy in its function.
class AfterCopy {
  const Project &P;
  const LinkedFunction &F;
  const LinkedSite &Copy;

public:
  AfterCopy(const Project &P, const LinkedSite &Copy)
      : P(P), F(P.functions()[Copy.Function]), Copy(Copy) {}

  /// The events with this meaning for a cell that no path reaches through a
  /// wait.
  std::vector<const Event *> unawaited(llvm::ArrayRef<Event::Kind> Kinds,
                                       int Cell) const {
    Positions Waits, Sooner, Later;
    for (Position Start : copies())
      reach(Start, &Waits, Sooner);
    for (Position Wait : Waits)
      reach(Wait, nullptr, Later);
    std::vector<const Event *> Result;
    for (Position Pos : Sooner) {
      const Event &E = eventAt(Pos);
      if (llvm::is_contained(Kinds, E.Class) && int(E.Index) == Cell &&
          !Later.count(Pos))
        Result.push_back(&E);
    }
    return Result;
  }

private:
  const Event &eventAt(Position Pos) const {
    return F.Model->Blocks[Pos.Block].Events[Pos.Event];
  }
  bool isCopy(const Event &E) const {
    return E.Class == Event::SiteReached &&
           &F.Model->Sites[E.Index] == Copy.Model;
  }
  Positions copies() const {
    Positions Result;
    for (unsigned B = 0; B < F.Model->Blocks.size(); ++B)
      for (size_t I = 0; I < F.Model->Blocks[B].Events.size(); ++I)
        if (isCopy(eventAt({B, I})))
          Result.insert({B, I});
    return Result;
  }

  bool mayWait(const Event &E) const {
    switch (E.Class) {
    case Event::SiteReached: {
      const LinkedSite &S = P.sites()[F.Sites[E.Index]];
      return catalogue::mayWait(S.Effects.Wait) || S.kind() == CallClass::Query;
    }
    case Event::CallMade:
      return F.Callees[E.Index].empty() ||
             llvm::any_of(F.Callees[E.Index], [&](unsigned Callee) {
               const Summary &Effects = P.functions()[Callee].Effects;
               return Effects.MayWait || Effects.UsesApi;
             });
    case Event::UnknownCall:
    case Event::Blocks:
      return true;
    default:
      return false;
    }
  }

  /// Walks from after `Start` to the copy and, if requested, to the next waits.
  /// Skips error exits: the copy may have failed.
  void reach(Position Start, Positions *Waits, Positions &Passed) const {
    std::set<unsigned> Entered;
    std::vector<Position> Worklist = {{Start.Block, Start.Event + 1}};
    while (!Worklist.empty()) {
      auto [B, I] = Worklist.back();
      Worklist.pop_back();
      const Block &Current = F.Model->Blocks[B];
      bool Ends = false;
      for (; I < Current.Events.size() && !Ends; ++I) {
        const Event &E = Current.Events[I];
        Ends = isCopy(E);
        if (!Ends && Waits && mayWait(E)) {
          Waits->insert({B, I});
          Ends = true;
        }
        if (!Ends)
          Passed.insert({B, I});
      }
      for (unsigned Next : Current.Next)
        if (!Ends && !F.Model->Blocks[Next].GivesUp &&
            Entered.insert(Next).second)
          Worklist.push_back({Next, 0});
    }
  }
};

/// One of the host's buffers, as a copy uses it.
struct HostSide {
  const Arg *Memory = nullptr;
  bool IsDestination = false;
};

} // namespace

/// `h`, `this->h`, `&h`, `h.data()`, `h.get()`: the whole of one buffer.
static bool isWhole(StringRef Text) {
  Text.consume_front("&");
  Text.consume_front("this->");
  if (!Text.consume_back(".data()"))
    Text.consume_back(".get()");
  return !Text.empty() && llvm::all_of(Text, [](char C) {
    return llvm::isAlnum(C) || C == '_';
  });
}

/// The pinned memory of an asynchronous copy, if it can be followed.
static HostSide pinnedSide(const Project &P, const LinkedSite &S) {
  StringRef Row = S.cudaRow();
  if (Row != "cudaMemcpyAsync" && Row != "cudaMemcpy2DAsync" &&
      Row != "cuMemcpyDtoHAsync" && Row != "cuMemcpyHtoDAsync")
    return {};
  if (S.Captured || !isBetweenHostAndDevice(S) ||
      S.Effects.Wait != catalogue::Waits::No)
    return {};
  HostSide Result;
  Result.IsDestination = isToHost(S);
  Result.Memory = argument(S, Result.IsDestination      ? 0
                              : Row.contains("2DAsync") ? 2
                                                        : 1);
  if (!Result.Memory || Result.Memory->Cell < 0 ||
      !isWhole(Result.Memory->Text) ||
      P.functionOf(S).Cells[Result.Memory->Cell].Rebound ||
      P.resolve(S, Result.Memory->Val).Mask != Pinned)
    return {};
  return Result;
}

/// In a loop, the variable may be a different one each time.
static bool isMadeInLoop(const Project &P, const LinkedSite &S,
                         const Cell &Buffer) {
  const int Loop = P.loopAround(S.Function, S.Model->Scope);
  if (Loop < 0)
    return false;
  const Place &Begin = P.functionOf(S).Scopes[Loop].Location;
  return Buffer.Location.File == Begin.File &&
         Buffer.Location.Offset > Begin.Offset;
}

static void report(const Project &P, const LinkedSite &S, const Arg &Memory,
                   llvm::ArrayRef<Event::Kind> Kinds, StringRef Description,
                   std::vector<Finding> &Out) {
  const Cell &Buffer = P.functionOf(S).Cells[Memory.Cell];
  for (const Event *E : AfterCopy(P, S).unawaited(Kinds, Memory.Cell)) {
    if (E->Location.Offset <= S.Model->Location.Offset &&
        isMadeInLoop(P, S, Buffer))
      continue;
    Finding F = findingAt(P, S, P.hot(S));
    F.Level = std::max(F.Level, Severity::Medium);
    F.Certainty = Confidence::Medium;
    const bool Dies = E->Class == Event::Dies;
    F.Message = "the host " + (Dies ? "releases" : Description.str()) + " '" +
                Buffer.Name + "' before it waits for " + S.Model->Callee +
                ", which has only been queued";
    F.Replacement =
        "call cudaEventRecord after the copy and cudaEventSynchronize "
        "before this use";
    F.Notes.push_back(
        {E->Location, Dies ? "its memory is released here" : "used here"});
    Out.push_back(std::move(F));
    return;
  }
}

void checkUnsafeEarlyRead(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites())
    if (HostSide Side = pinnedSide(P, S); Side.Memory && Side.IsDestination)
      report(P, S, *Side.Memory, {Event::Read}, "reads", Out);
}

void checkUnsafeBufferLifetime(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    HostSide Side = pinnedSide(P, S);
    if (!Side.Memory)
      continue;
    if (Side.IsDestination)
      report(P, S, *Side.Memory, {Event::Dies}, "", Out);
    else
      report(P, S, *Side.Memory, {Event::Written, Event::Dies}, "changes", Out);
  }
}

} // namespace autoprof::audit
