// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-unsafe-early-read, autoprof-unsafe-buffer-lifetime.
// An asynchronous copy of pinned memory, or a kernel, has only been queued when
// its call returns. Until a wait, the host must not read what it writes, nor
// change or free what it uses. These rules find missing waits, perhaps ones
// that were removed: they follow the control flow from the work, and report a
// use of its memory that every path reaches without a wait. Whatever may wait
// counts as a wait for this work: any call that may wait, even for another
// stream, and any user function that uses CUDA or is not visible. Memory that
// cannot be told apart from other memory (one of several buffers, a part of
// one, a pointer that is reassigned) is ignored.
#include "audit/rules/Rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::CallClass;
using catalogue::Fact;
using llvm::StringRef;

Finding findingAt(const LinkedSite &S) {
  Finding F;
  F.Site = &S;
  F.Location = S.Model->Location;
  F.Level = Severity::Medium;
  F.Certainty = Confidence::Medium;
  return F;
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

//===-- What follows work -------------------------------------------------===//

namespace {

/// Where control can go from a copy or launch in its function.
class AfterWork {
  struct Position {
    unsigned Block;
    size_t Event;
    bool operator<(const Position &O) const {
      return std::tie(Block, Event) < std::tie(O.Block, O.Event);
    }
  };
  using Positions = std::set<Position>;

  const Project &P;
  const LinkedFunction &F;
  const LinkedSite &Work;

public:
  AfterWork(const Project &P, const LinkedSite &Work)
      : P(P), F(P.functions()[Work.Function]), Work(Work) {}

  /// The first event with one of these meanings for a cell that no path reaches
  /// through a wait; or null. Not in the next iteration, if the variable may be
  /// another one then.
  const Event *unawaited(llvm::ArrayRef<Event::Kind> Kinds, int Cell) const {
    for (Position Pos : unawaitedPositions(nullptr)) {
      const Event &E = eventAt(Pos);
      if (llvm::is_contained(Kinds, E.Class) && int(E.Index) == Cell &&
          !isSpin(Pos) && !isOtherVariable(Cell, E.Location))
        return &E;
    }
    return nullptr;
  }

  /// Whether another call is reached, and no path to it contains a wait or an
  /// event that a stream waits for.
  bool reaches(const LinkedSite &Other) const {
    return llvm::any_of(unawaitedPositions(&Other),
                        [&](Position Pos) { return is(eventAt(Pos), Other); });
  }

  /// Whether a use follows the work only in the next iteration, when the
  /// variable may be another one.
  bool isOtherVariable(int Cell, const Place &Use) const {
    if (Use.Offset > Work.Model->Location.Offset)
      return false;
    int Loop = Work.Model->Scope;
    const std::vector<Scope> &Scopes = F.Model->Scopes;
    while (Loop >= 0 && Scopes[Loop].Class != Scope::Loop)
      Loop = Scopes[Loop].Parent;
    const Place &Made = F.Model->Cells[Cell].Location;
    return Loop >= 0 && Made.File == Scopes[Loop].Location.File &&
           Made.Offset > Scopes[Loop].Location.Offset;
  }

private:
  const Event &eventAt(Position Pos) const {
    return F.Model->Blocks[Pos.Block].Events[Pos.Event];
  }

  bool is(const Event &E, const LinkedSite &S) const {
    return E.Class == Event::SiteReached && &F.Model->Sites[E.Index] == S.Model;
  }

  bool mayWait(const Event &E) const {
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

  bool ordersStreams(const Event &E) const {
    return E.Class == Event::SiteReached &&
           P.sites()[F.Sites[E.Index]].cudaRow().contains("StreamWaitEvent");
  }

  /// In the condition of a loop that waits for what another thread or the GPU
  /// writes.
  bool isSpin(Position Pos) const {
    return llvm::any_of(F.Model->Blocks[Pos.Block].Events, [](const Event &E) {
      return E.Class == Event::HandsOver;
    });
  }

  /// Walks from after `Start` to the work or the target and, if requested, to
  /// the next waits. Skips error exits: the work may have failed.
  void reach(Position Start, const LinkedSite *Target, Positions *Waits,
             Positions &Passed) const {
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

  Positions unawaitedPositions(const LinkedSite *Target) const {
    Positions Waits, Sooner, Later;
    const unsigned Number = Work.Model - F.Model->Sites.data();
    for (EventRef Start : eventsOf(*F.Model, Event::SiteReached, Number))
      reach({Start.Block, Start.Index}, Target, &Waits, Sooner);
    for (Position Wait : Waits)
      reach(Wait, Target, nullptr, Later);
    for (Position Pos : Later)
      Sooner.erase(Pos);
    return Sooner;
  }
};

/// Whether the argument names one buffer throughout the function.
bool isOneBuffer(const Project &P, const LinkedSite &S, const Arg *A) {
  return A && A->Cell >= 0 && isWhole(A->Text) &&
         !P.functionOf(S).Cells[A->Cell].Rebound;
}

uint32_t directionOf(const LinkedSite &S) {
  return S.kind() == CallClass::Copy
             ? catalogue::settled(S.Known)[Fact::Direction]
             : ~0u;
}

//===-- Copies ------------------------------------------------------------===//

/// The pinned memory of an asynchronous copy, if it can be followed; or null.
const Arg *pinnedSide(const Project &P, const LinkedSite &S) {
  const StringRef Row = S.cudaRow();
  const uint32_t Direction = directionOf(S);
  if ((Row != "cudaMemcpyAsync" && Row != "cudaMemcpy2DAsync" &&
       Row != "cuMemcpyDtoHAsync" && Row != "cuMemcpyHtoDAsync") ||
      S.Captured || (Direction & ~uint32_t(DtoH | HtoD)) ||
      S.Effects.Wait != catalogue::Waits::No)
    return nullptr;
  const Arg *Memory = hostArgument(S, Direction == DtoH);
  return isOneBuffer(P, S, Memory) && P.resolve(S, Memory->Val).Mask == Pinned
             ? Memory
             : nullptr;
}

/// Reports the first of these uses of memory that queued work still uses.
void report(const Project &P, const LinkedSite &S, const Arg &Memory,
            llvm::ArrayRef<Event::Kind> Kinds, StringRef Description,
            std::vector<Finding> &Out) {
  const Event *E = AfterWork(P, S).unawaited(Kinds, Memory.Cell);
  if (!E)
    return;
  Finding F = findingAt(S);
  const bool Dies = E->Class == Event::Dies;
  const StringRef What = S.Row ? "copy" : "kernel";
  F.Message = ("the host " + (Dies ? "releases" : Description) + " '" +
               P.functionOf(S).Cells[Memory.Cell].Name + "'" +
               (S.Row ? "" : ", which is managed memory,") +
               " before it waits for " + (S.Row ? "" : "the kernel ") +
               S.Model->Callee + ", which has only been queued")
                  .str();
  F.Replacement = ("call cudaEventRecord after the " + What +
                   " and cudaEventSynchronize before this use")
                      .str();
  F.Notes.push_back(
      {E->Location, Dies ? "its memory is released here" : "used here"});
  Out.push_back(std::move(F));
}

//===-- Kernels -----------------------------------------------------------===//

bool isKernel(const LinkedSite &S) {
  return !S.Row && !S.Captured && !S.OnErrorPath;
}

/// The kernel before this call, of those that may write (or use) the buffer,
/// whose completion nothing on the way ensures.
const LinkedSite *unawaitedKernel(
    const Project &P, const LinkedSite &S, int Cell,
    llvm::function_ref<bool(const LinkedSite &, const Arg &)> Fits) {
  for (unsigned I : P.functions()[S.Function].Sites) {
    const LinkedSite &Kernel = P.sites()[I];
    const AfterWork After(P, Kernel);
    if (isKernel(Kernel) && !After.isOtherVariable(Cell, S.Model->Location) &&
        llvm::any_of(Kernel.Model->Args,
                     [&](const Arg &A) {
                       return A.Cell == Cell && isOneBuffer(P, Kernel, &A) &&
                              Fits(Kernel, A);
                     }) &&
        After.reaches(S))
      return &Kernel;
  }
  return nullptr;
}

/// A copy to the host on the legacy stream, of memory that a kernel on a
/// non-blocking stream writes.
void findEarlyCopy(const Project &P, const LinkedSite &S,
                   std::vector<Finding> &Out) {
  const StringRef Row = S.cudaRow();
  const bool Is2D = Row == "cudaMemcpy2D" || Row == "cudaMemcpy2DAsync";
  if ((!Is2D && Row != "cudaMemcpy" && Row != "cudaMemcpyAsync") ||
      S.Stream != Legacy || directionOf(S) != DtoH || S.Captured ||
      S.OnErrorPath)
    return;
  const Arg *Source = argument(S, Is2D ? 2 : 1);
  if (!isOneBuffer(P, S, Source))
    return;
  const LinkedSite *Kernel = unawaitedKernel(
      P, S, Source->Cell, [](const LinkedSite &Work, const Arg &A) {
        return Work.Stream == NonBlocking && A.MayWrite;
      });
  if (!Kernel || Kernel->Model->Stream.empty())
    return;
  const std::string &Stream = Kernel->Model->Stream;
  Finding F = findingAt(S);
  F.Message = S.Model->Callee + " reads '" + Source->Text +
              "' before it is certain that the kernel " +
              Kernel->Model->Callee + " has written it: the kernel is on " +
              Stream +
              ", a non-blocking stream, for which the legacy "
              "default stream does not wait";
  F.Replacement =
      "copy with cudaMemcpyAsync on " + Stream +
      ", and wait for that stream before the host uses the data. Or call "
      "cudaStreamSynchronize(" +
      Stream + ") before the copy";
  F.Notes.push_back({Kernel->Model->Location, "this kernel may still run"});
  Out.push_back(std::move(F));
}

/// The host accesses managed memory that a kernel may still write.
void findEarlyAccess(const Project &P, const LinkedSite &S, Event::Kind Access,
                     StringRef Verb, std::vector<Finding> &Out) {
  const size_t Before = Out.size();
  if (isKernel(S))
    for (const Arg &A : S.Model->Args)
      if (Out.size() == Before && A.MayWrite && isOneBuffer(P, S, &A) &&
          P.resolve(S, A.Val).Mask == Managed)
        report(P, S, A, {Access}, Verb, Out);
}

/// cudaFree of memory from a pool that a kernel uses: it does not wait.
void findEarlyPoolFree(const Project &P, const LinkedSite &S,
                       std::vector<Finding> &Out) {
  const Arg *Memory = argument(S, 0);
  if (S.cudaRow() != "cudaFree" || S.Effects.Wait != catalogue::Waits::No ||
      S.Captured || S.OnErrorPath || !isOneBuffer(P, S, Memory) ||
      catalogue::settled(S.Known)[Fact::Destination] != Pool)
    return;
  const LinkedSite *Kernel = unawaitedKernel(
      P, S, Memory->Cell, [](const LinkedSite &, const Arg &) { return true; });
  if (!Kernel)
    return;
  Finding F = findingAt(S);
  F.Message = "cudaFree frees '" + Memory->Text + "' while the kernel " +
              Kernel->Model->Callee +
              " may still use it: cudaFree does not wait for memory from "
              "cudaMallocAsync";
  F.Replacement = "cudaFreeAsync on the stream of the kernel";
  F.Notes.push_back({Kernel->Model->Location, "this kernel may still run"});
  Out.push_back(std::move(F));
}

} // namespace

void checkUnsafeEarlyRead(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (const Arg *Memory = pinnedSide(P, S); Memory && directionOf(S) == DtoH)
      report(P, S, *Memory, {Event::Read}, "reads", Out);
    findEarlyCopy(P, S, Out);
    findEarlyAccess(P, S, Event::Read, "reads", Out);
  }
}

void checkUnsafeBufferLifetime(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (const Arg *Memory = pinnedSide(P, S)) {
      if (directionOf(S) == DtoH)
        report(P, S, *Memory, {Event::Dies}, "", Out);
      else
        report(P, S, *Memory, {Event::Written, Event::Dies}, "changes", Out);
    }
    findEarlyPoolFree(P, S, Out);
    findEarlyAccess(P, S, Event::Written, "writes", Out);
  }
}

} // namespace autoprof::audit
