// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/rules/Advice.h"

#include "audit/Neighbors.h"
#include "audit/rules/Streams.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::Fact;

static std::string lineOf(const Place &Location) {
  return llvm::sys::path::filename(Location.File).str() + ":" +
         std::to_string(Location.Line);
}

static void noteUse(Finding &F) {
  if (F.Use.Location.Line)
    F.Notes.push_back({F.Use.Location, "the host first uses the result here"});
}

/// "cudaStreamWaitEvent", or the driver API's form.
static std::string waitEvent(const LinkedSite &S) {
  return S.cudaRow().starts_with("cuda") ? "cudaStreamWaitEvent"
                                         : "cuStreamWaitEvent";
}

/// On every path, something is queued next, with only host code before it: the
/// wait only orders GPU work.
static bool onlyOrders(const Project &P, const LinkedSite &S) {
  const std::vector<Moment> Next =
      Neighbors(P, S.Function).following(S, isQuiet);
  return !Next.empty() && llvm::all_of(Next, [](const Moment &M) {
    return M.Linked && M.Linked->QueuesWork &&
           M.Linked->Effects.Wait == catalogue::Waits::No &&
           !isBetweenHostAndDevice(*M.Linked);
  });
}

/// Where an object that the GPU may use is destroyed or freed next.
static Place nextEnd(const Project &P, const LinkedSite &S) {
  for (const Moment &M : Neighbors(P, S.Function).following(S, isQuiet))
    if (givesUpObject(M) && isInLoopOf(P, S, M.Location))
      return M.Location;
  return {};
}

Place nextHandOver(const Project &P, const LinkedSite &S) {
  for (const Moment &M :
       Neighbors(P, S.Function).following(S, [](const Moment &M) {
         return isQuiet(M) && !handsOver(M);
       }))
    if (handsOver(M) && isInLoopOf(P, S, M.Location))
      return M.Location;
  return {};
}

/// The next clock reading after a wait: what it measures must be complete by
/// then.
static Place nextClock(const Project &P, const LinkedSite &S) {
  for (const Moment &M :
       Neighbors(P, S.Function).following(S, [](const Moment &M) {
         return M.Class != Moment::Edge && !isClock(M);
       }))
    if (isClock(M))
      return M.Location;
  return {};
}

/// Advice from the host's use of what the wait completes; "" if unknown.
static std::string byUse(const FirstUse &Use) {
  switch (Use.When) {
  case FirstUse::AtOnce:
    return "the host uses the result immediately, at " + lineOf(Use.Location) +
           ": use the previous iteration's result instead (two buffers, each "
           "with an event), or keep the wait";
  case FirstUse::SameIteration:
    return "wait for an event at " + lineOf(Use.Location) +
           ", where the host first uses the result: the work queued in "
           "between does not need the wait";
  case FirstUse::NextIteration:
    return "wait for an event at " + lineOf(Use.Location) +
           ", where the next iteration uses the result";
  case FirstUse::AfterLoop:
    return "wait once, after the loop: the host uses the result at " +
           lineOf(Use.Location);
  case FirstUse::Unknown:
    break;
  }
  return "";
}

static std::string insteadOfWait(const Project &P, Finding &F) {
  const LinkedSite &S = *F.Site;
  if (const Place Next = nextHandOver(P, S); Next.Line) {
    F.Notes.push_back({Next, "others may use the result from here on"});
    return "keep the wait: another thread, process, or API continues at " +
           lineOf(Next) +
           " and may use the result, unless the GPU orders them (with an "
           "interprocess event or an external semaphore)";
  }
  if (const Place Next = nextEnd(P, S); Next.Line) {
    F.Notes.push_back({Next, "this frees or destroys what the GPU may use"});
    return "reuse what is freed or destroyed at " + lineOf(Next) +
           " in the next iteration, or keep the wait";
  }
  const Place End = endOfLifetime(P, S);
  if (End.Line)
    F.Notes.push_back({End, "memory that a queued copy reads is changed here"});
  if (std::string Text = byUse(F.Use); !Text.empty())
    return End.Line ? Text +
                          "; and for an event after the copy that reads the "
                          "memory changed at " +
                          lineOf(End)
                    : Text;
  if (End.Line)
    return "wait for an event after the copy that reads the memory changed "
           "at " +
           lineOf(End);
  if (onlyOrders(P, S))
    return waitEvent(S) +
           " to order the GPU's work, or nothing if it is all on one stream";
  return "wait once, after the loop, if nothing in the loop needs the result: "
         "neither the host, nor a clock, another process, or another API";
}

void adviseWait(const Project &P, Finding &F) {
  F.Replacement = insteadOfWait(P, F);
  const Place Clock = nextClock(P, *F.Site);
  const bool IsLate =
      F.Use.When != FirstUse::AtOnce && F.Use.When != FirstUse::Unknown;
  if (Clock.Line && IsLate && Clock.Offset < F.Use.Location.Offset)
    F.Replacement += "; but before the clock is read at " + lineOf(Clock) +
                     ", if it times this work";
  noteUse(F);
}

void adviseCopy(const Project &P, Finding &F) {
  if (!isToHost(*F.Site))
    return;
  switch (F.Use.When) {
  case FirstUse::AtOnce:
    F.Replacement = "the host uses the data immediately, at " +
                    lineOf(F.Use.Location) +
                    ": use the previous iteration's data instead "
                    "(cudaMemcpyAsync and two pinned buffers, each with an "
                    "event), or keep the copy";
    break;
  case FirstUse::SameIteration:
    F.Replacement = "cudaMemcpyAsync into pinned memory, and wait for an event "
                    "at " +
                    lineOf(F.Use.Location) +
                    ", where the host first uses the data";
    break;
  case FirstUse::NextIteration:
    F.Replacement = "cudaMemcpyAsync into pinned memory, and wait for an event "
                    "at " +
                    lineOf(F.Use.Location) +
                    ", where the next iteration uses the "
                    "data";
    break;
  case FirstUse::AfterLoop:
    F.Replacement =
        "copy once, after the loop, if only the last data is used "
        "at " +
        lineOf(F.Use.Location) +
        "; otherwise cudaMemcpyAsync into pinned memory, with a part "
        "for each iteration";
    break;
  case FirstUse::Unknown:
    return;
  }
  noteUse(F);
}

std::string insteadOfFree(const LinkedSite &S) {
  const uint32_t Memory = catalogue::settled(S.Known)[Fact::Destination];
  const bool MayBeOrdered =
      !(Memory & ~uint32_t(Device)) && S.cudaRow() == "cudaFree";
  return MayBeOrdered ? "keep the buffer and reuse it, or allocate it with "
                        "cudaMallocAsync and free it with cudaFreeAsync"
                      : "keep the buffer and reuse it";
}

} // namespace autoprof::audit
