// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/rules/Unsafe.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace autoprof::audit {

using catalogue::CallClass;
using llvm::StringRef;

bool AfterWork::is(const Event &E, const LinkedSite &S) const {
  return E.Class == Event::SiteReached && &F.Model->Sites[E.Index] == S.Model;
}

AfterWork::Positions AfterWork::starts() const {
  Positions Result;
  for (unsigned B = 0; B < F.Model->Blocks.size(); ++B)
    for (size_t I = 0; I < F.Model->Blocks[B].Events.size(); ++I)
      if (is(eventAt({B, I}), Work))
        Result.insert({B, I});
  return Result;
}

bool AfterWork::mayWait(const Event &E) const {
  switch (E.Class) {
  case Event::SiteReached: {
    const LinkedSite &S = P.sites()[F.Sites[E.Index]];
    return catalogue::mayWait(S.Effects.Wait) ||
           (S.kind() == CallClass::Query && S.cudaRow().contains("Query"));
  }
  case Event::CallMade:
    return F.Callees[E.Index].empty() ||
           llvm::any_of(F.Callees[E.Index], [&](unsigned Callee) {
             const Summary &Effects = P.functions()[Callee].Effects;
             return Effects.MayWait || Effects.UsesApi;
           });
  case Event::UnknownCall:
  case Event::Blocks:
  case Event::HandsOver: // Another thread may have waited.
    return true;
  default:
    return false;
  }
}

bool AfterWork::ordersStreams(const Event &E) const {
  return E.Class == Event::SiteReached &&
         P.sites()[F.Sites[E.Index]].cudaRow().contains("StreamWaitEvent");
}

/// Walks from after `Start` to the work or the target and, if requested, to the
/// next waits. Skips error exits: the work may have failed.
void AfterWork::reach(Position Start, const LinkedSite *Target,
                      Positions *Waits, Positions &Passed) const {
  std::set<unsigned> Entered;
  std::vector<Position> Worklist = {{Start.Block, Start.Event + 1}};
  while (!Worklist.empty()) {
    auto [B, I] = Worklist.back();
    Worklist.pop_back();
    const Block &Current = F.Model->Blocks[B];
    bool Ends = false;
    for (; I < Current.Events.size() && !Ends; ++I) {
      const Event &E = Current.Events[I];
      Ends = is(E, Work);
      if (Target && is(E, *Target)) {
        Passed.insert({B, I});
        Ends = true;
      }
      if (!Ends && Waits && (mayWait(E) || (Target && ordersStreams(E)))) {
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

AfterWork::Positions
AfterWork::unawaitedPositions(const LinkedSite *Target) const {
  Positions Waits, Sooner, Later, Result;
  for (Position Start : starts())
    reach(Start, Target, &Waits, Sooner);
  for (Position Wait : Waits)
    reach(Wait, Target, nullptr, Later);
  for (Position Pos : Sooner)
    if (!Later.count(Pos))
      Result.insert(Pos);
  return Result;
}

/// In the condition of a loop that waits for what another thread or the GPU
/// writes.
bool AfterWork::isSpin(Position Pos) const {
  return llvm::any_of(F.Model->Blocks[Pos.Block].Events, [](const Event &E) {
    return E.Class == Event::HandsOver;
  });
}

std::vector<const Event *>
AfterWork::unawaited(llvm::ArrayRef<Event::Kind> Kinds, int Cell) const {
  std::vector<const Event *> Result;
  for (Position Pos : unawaitedPositions(nullptr)) {
    const Event &E = eventAt(Pos);
    if (llvm::is_contained(Kinds, E.Class) && int(E.Index) == Cell &&
        !isSpin(Pos))
      Result.push_back(&E);
  }
  return Result;
}

bool AfterWork::reaches(const LinkedSite &Other) const {
  return llvm::any_of(unawaitedPositions(&Other),
                      [&](Position Pos) { return is(eventAt(Pos), Other); });
}

bool isWhole(StringRef Text) {
  Text.consume_front("&");
  Text.consume_front("this->");
  if (!Text.consume_back(".data()"))
    Text.consume_back(".get()");
  return !Text.empty() && llvm::all_of(Text, [](char C) {
    return llvm::isAlnum(C) || C == '_';
  });
}

/// In a loop, the variable may be a different one each time.
static bool isMadeInLoop(const Project &P, const LinkedSite &S,
                         const Cell &Buffer) {
  int Loop = S.Model->Scope;
  const std::vector<Scope> &Scopes = P.functionOf(S).Scopes;
  while (Loop >= 0 && Scopes[Loop].Class != Scope::Loop)
    Loop = Scopes[Loop].Parent;
  if (Loop < 0)
    return false;
  const Place &Begin = P.functionOf(S).Scopes[Loop].Location;
  return Buffer.Location.File == Begin.File &&
         Buffer.Location.Offset > Begin.Offset;
}

bool isOtherVariable(const Project &P, const LinkedSite &Work, int Cell,
                     const Place &Use) {
  return Use.Offset <= Work.Model->Location.Offset &&
         isMadeInLoop(P, Work, P.functionOf(Work).Cells[Cell]);
}

} // namespace autoprof::audit
