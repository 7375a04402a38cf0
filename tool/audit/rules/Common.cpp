// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/rules/Common.h"

#include "audit/rules/Advice.h"
#include "audit/rules/Completion.h"
#include "audit/rules/Streams.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::CallClass;
using catalogue::Fact;
using catalogue::Waits;
using catalogue::WaitsFor;

/// Whether the host uses the call's result before the loop around it ends.
static bool isUsedInLoop(const Project &P, const LinkedSite &S, const Hot &H) {
  const FirstUse::Kind When = firstUse(P, S).When;
  return (When != FirstUse::Unknown && When != FirstUse::AfterLoop) ||
         llvm::any_of(P.destinations(S), [&](const Destination &D) {
           return P.isWithin(D.Function, D.Model->Scope, H.Function, H.Loop);
         });
}

/// Whether the site is in a loop that only repeats work to measure it. Work in
/// functions called from the loop is what is being measured, so it counts.
static bool isRepetition(const Project &P, const LinkedSite &S, const Hot &H) {
  return P.isMeasured(H, S.Function) ||
         (H.Function == S.Function && P.isBenchmark(H.Function, H.Loop) &&
          !isUsedInLoop(P, S, H));
}

Severity severityOf(const Project &P, const LinkedSite &S, const Hot &H) {
  if (!H.IsHot)
    return Severity::Note;
  if (S.Effects.Wait != Waits::Yes || H.often() == Frequency::EveryNth ||
      H.isFew() || isRepetition(P, S, H))
    return Severity::Low;
  return P.isRepeated(H) ? Severity::High : Severity::Medium;
}

Severity severityAsWait(const Project &P, LinkedSite S, const Hot &H) {
  S.Effects.Wait = Waits::Yes;
  return severityOf(P, S, H);
}

/// Advice that fits any call of this kind.
static const char *insteadOf(const LinkedSite &S) {
  switch (S.kind()) {
  case CallClass::Copy:
  case CallClass::Set:
    return "the asynchronous form, with pinned memory";
  case CallClass::Sync:
  case CallClass::Query:
    return "wait for an event where the data is used";
  case CallClass::Launch:
    return "a form that leaves its result on the GPU";
  case CallClass::Alloc:
  case CallClass::Free:
  case CallClass::Other:
    break;
  }
  return "do it once, outside the loop, and reuse the result";
}

/// The earlier call that has already waited for this work, if any.
static const LinkedSite *drainedBy(const Project &P, const LinkedSite &S) {
  // A library call waits for work that it queues itself.
  if (S.kind() == CallClass::Sync || S.Launches || S.Effects.Wait == Waits::No)
    return nullptr;
  const Completion Done(P, S.Function);
  const Completers All = Done.completedBefore(S);
  if (!All.any())
    return nullptr;
  const LinkedSite *Before = All.Calls.front();
  if (!isExplicitWait(*Before))
    return Before;
  // Memory is freed when it is no longer used: the wait is what costs.
  if (S.kind() == CallClass::Free)
    return Before;
  // A wait just before another call does not help: it costs the same.
  const std::vector<Moment> Next = Done.neighbors().following(*Before, isQuiet);
  const bool IsNext = llvm::all_of(Next, [&S](const Moment &M) {
    return M.Linked && M.Linked->Model == S.Model;
  });
  return IsNext ? nullptr : Before;
}

/// Calls of the site's function that may be in launching loops.
static std::vector<const Call *> hotCalls(const Project &P,
                                          const LinkedSite &S) {
  std::vector<const Call *> Result;
  for (const LinkedFunction::Caller &C : P.functions()[S.Function].Callers) {
    const Call &Made = P.functions()[C.Function].Model->Calls[C.Call];
    if (!Made.Uncertain && P.hotThrough(S, C).IsHot)
      Result.push_back(&Made);
  }
  return Result;
}

static void countCallers(const Project &P, const Hot &H, Finding &F) {
  if (H.Function == F.Site->Function)
    return;
  std::vector<const Call *> Calls = hotCalls(P, *F.Site);
  F.Callers = Calls.size();
  llvm::erase_if(Calls, [&H](const Call *C) {
    return llvm::any_of(H.Path, [C](const PathStep &Step) {
      return Step.Location.File == C->Location.File &&
             Step.Location.Offset == C->Location.Offset;
    });
  });
  constexpr size_t Most = 3;
  for (size_t I = 0; I < std::min(Calls.size(), Most); ++I) {
    const size_t More = I + 1 == Most ? Calls.size() - Most : 0;
    F.Notes.push_back(
        {Calls[I]->Location,
         "also called here, in a launching loop" +
             (More ? ", and at " + std::to_string(More) + " more places"
                   : std::string())});
  }
}

/// Whether the loop creates an object in each iteration and keeps it: an array
/// element selected by the loop counter.
static bool makesObjects(const Project &P, const LinkedSite &S, const Hot &H) {
  if (S.Function != H.Function)
    return false;
  bool Makes = false, Frees = false;
  for (unsigned I : P.functions()[S.Function].Sites) {
    const LinkedSite &Other = P.sites()[I];
    if (P.loopAround(S.Function, Other.Model->Scope) != H.Loop)
      continue;
    const Arg *Made = argument(Other, 0);
    Makes |= Other.kind() == CallClass::Alloc && Made && Made->Moves;
    Frees |= Other.kind() == CallClass::Free && !Other.OnErrorPath;
  }
  return Makes && !Frees;
}

/// Copies of this size or more are slow, even if nothing is queued before them.
static constexpr int64_t LargeCopy = int64_t(1) << 20;

/// What is left of a call that needs not wait for earlier work.
static std::string costsWithoutQueue(const LinkedSite &S) {
  if (S.kind() != CallClass::Copy || isAsynchronous(S))
    return "nothing has been queued since this call waited";
  const int64_t Bytes = bytesOf(S).value_or(0);
  return "nothing has been queued since this call waited, so the copy blocks "
         "the host only while it moves " +
         (Bytes >= LargeCopy ? std::to_string(Bytes >> 20) + " MiB"
                             : std::string("its data"));
}

/// Accounts for what makes a wait cheap, beyond severityOf().
static void weigh(const Project &P, const Hot &H, Finding &F) {
  const LinkedSite &S = *F.Site;
  F.HowOften = H.often();
  if (!H.IsHot)
    return;
  F.Repetition = isRepetition(P, S, H);
  const bool MakesObjects = makesObjects(P, S, H);
  if (MakesObjects && S.kind() == CallClass::Alloc)
    F.Replacement = "allocate once for all iterations, if the sizes are known "
                    "before the loop";
  F.SetUp = (S.kind() != CallClass::Launch && H.Function != S.Function &&
             P.isSetUp(S)) ||
            MakesObjects;
  F.Times = H.Times;
  if (H.isFew())
    F.Notes.push_back({S.Model->Location, "it runs at most " +
                                              std::to_string(*H.Times) +
                                              " times per run of the program"});
  F.DrainedBy = drainedBy(P, S);
  // Conditional creation or destruction mostly happens on changes; a virtual
  // call under a condition is doubly uncertain.
  const bool Manages = S.kind() == CallClass::Alloc ||
                       S.kind() == CallClass::Free ||
                       (S.kind() == CallClass::Other && !S.Launches);
  const bool IsSeldom =
      F.HowOften == Frequency::Sometimes && (Manages || H.Uncertain);
  // The wait serves code other than the host code seen here.
  const bool IsForOthers =
      S.kind() == CallClass::Sync && nextHandOver(P, S).Line;
  const bool IsLarge = S.kind() == CallClass::Copy && !isAsynchronous(S) &&
                       bytesOf(S).value_or(0) >= LargeCopy;
  if (F.SetUp || (F.DrainedBy && !IsLarge) || IsSeldom || IsForOthers)
    F.Level = std::min(F.Level, Severity::Low);
  if (F.DrainedBy)
    F.Notes.push_back({F.DrainedBy->Model->Location, costsWithoutQueue(S)});
  if (H.Uncertain)
    F.Certainty = std::min(F.Certainty, Confidence::Medium);
}

Finding findingAt(const Project &P, const LinkedSite &S, const Hot &H, Cost C) {
  Finding F;
  F.Location = S.Model->Location;
  F.Site = &S;
  F.Level = C == Cost::AsWait ? severityAsWait(P, S, H) : severityOf(P, S, H);
  F.Certainty =
      S.Effects.Wait == Waits::Maybe ? Confidence::Medium : Confidence::High;
  F.Path = H.Path;
  F.Replacement = S.kind() == CallClass::Free     ? insteadOfFree(S)
                  : S.Effects.Replacement.empty() ? insteadOf(S)
                                                  : S.Effects.Replacement.str();
  F.Use = firstUse(P, S);
  weigh(P, H, F);
  if (H.IsHot)
    countCallers(P, H, F);
  return F;
}

std::string whatIsWaitedFor(const Project &P, const LinkedSite &S) {
  switch (S.Effects.Target) {
  case WaitsFor::Device:
    return "all work on the device";
  case WaitsFor::Event:
    return "the work before the event";
  case WaitsFor::Stream:
    if (S.Known[Fact::Stream] == Legacy)
      return "the work of all blocking streams";
    // Not for all work, then.
    return S.Stream == Legacy && S.Model->StreamVal.isNothing() &&
                   mayHaveNonBlocking(P, S.Function)
               ? "the earlier work on the default stream and on blocking "
                 "streams"
               : "the work queued before it";
  case WaitsFor::Nothing:
    break;
  }
  return "earlier work";
}

std::string eachIteration(const Project &P, const Hot &H) {
  const Scope &Loop = P.functions()[H.Function].Model->Scopes[H.Loop];
  const char *HowOften = H.often() == Frequency::Each
                             ? "in each iteration of the loop at "
                             : "in some iterations of the loop at ";
  return HowOften + fileAndLine(Loop.Location);
}

std::string because(llvm::StringRef Reason) {
  return Reason.empty() ? "" : ", because " + Reason.str();
}

std::string fileAndLine(const Place &Location) {
  return llvm::sys::path::filename(Location.File).str() + ":" +
         std::to_string(Location.Line);
}

const Arg *argument(const LinkedSite &S, unsigned I) {
  return I < S.Model->Args.size() ? &S.Model->Args[I] : nullptr;
}

bool isExplicitWait(const LinkedSite &S) {
  return S.kind() == CallClass::Sync && catalogue::mayWait(S.Effects.Wait);
}

bool isBetweenHostAndDevice(const LinkedSite &S) {
  const uint32_t Direction = catalogue::settled(S.Known)[Fact::Direction];
  return S.kind() == CallClass::Copy && (Direction & (DtoH | HtoD)) &&
         !(Direction & ~uint32_t(DtoH | HtoD));
}

bool isToHost(const LinkedSite &S) {
  return catalogue::settled(S.Known)[Fact::Direction] == DtoH;
}

/// The positions of the arguments whose product is a copy's size.
static std::vector<unsigned> sizeArguments(llvm::StringRef Row) {
  if (Row.starts_with("cudaMemcpy2D"))
    return Row.contains("Array") ? std::vector<unsigned>{}
                                 : std::vector<unsigned>{4, 5};
  if (Row.starts_with("cudaMemcpyPeer"))
    return {4};
  if (Row.starts_with("cublasSetVector") || Row.starts_with("cublasGetVector"))
    return {0, 1};
  if (Row.starts_with("cublasSetMatrix") || Row.starts_with("cublasGetMatrix"))
    return {0, 1, 2};
  if (Row == "cudaMemcpy" || Row == "cudaMemcpyAsync" ||
      Row.starts_with("cudaMemcpyToSymbol") ||
      Row.starts_with("cudaMemcpyFromSymbol") ||
      Row.starts_with("cuMemcpyHtoD") || Row.starts_with("cuMemcpyDtoH"))
    return {2};
  return {};
}

std::optional<int64_t> bytesOf(const LinkedSite &S) {
  std::optional<int64_t> Result;
  for (unsigned I : sizeArguments(S.cudaRow())) {
    const Arg *A = argument(S, I);
    if (!A || !A->Constant)
      return std::nullopt;
    Result = Result.value_or(1) * *A->Constant;
  }
  return Result;
}

bool isAsynchronous(const LinkedSite &S) {
  return S.cudaRow().contains("Async");
}

} // namespace autoprof::audit
