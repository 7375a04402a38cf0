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

/// "cudaStreamWaitEvent", or the driver's.
static std::string waitEvent(const LinkedSite &S) {
  return S.cudaRow().starts_with("cuda") ? "cudaStreamWaitEvent"
                                         : "cuStreamWaitEvent";
}

/// On every way something is queued next, with nothing but host code before
/// it: the wait only orders GPU work.
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

/// The next reading of a clock after a wait: what it measures has to be
/// complete by then.
static Place nextClock(const Project &P, const LinkedSite &S) {
  for (const Moment &M :
       Neighbors(P, S.Function).following(S, [](const Moment &M) {
         return M.Class != Moment::Edge && !isClock(M);
       }))
    if (isClock(M))
      return M.Location;
  return {};
}

/// By the host's use of what the wait completes; "" when it is not known.
static std::string byUse(const FirstUse &Use) {
  switch (Use.When) {
  case FirstUse::AtOnce:
    return "the host uses the result at once, at " + lineOf(Use.Location) +
           ": let it use that of the iteration before (two buffers, and an "
           "event for each), or keep the wait";
  case FirstUse::SameIteration:
    return "wait for an event at " + lineOf(Use.Location) +
           ", where the host first uses the result: what is queued between "
           "does not need the wait";
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
    return "keep the wait: another thread, process or API goes on at " +
           lineOf(Next) +
           " and may use the result, unless the GPU orders them (an "
           "interprocess event, an external semaphore)";
  }
  if (const Place Next = nextEnd(P, S); Next.Line) {
    F.Notes.push_back({Next, "this ends what the GPU may use"});
    return "keep what is given up at " + lineOf(Next) +
           " for the next iteration, or the wait";
  }
  const Place End = endOfLifetime(P, S);
  if (End.Line)
    F.Notes.push_back({End, "memory that a queued copy reads changes here"});
  if (std::string Text = byUse(F.Use); !Text.empty())
    return End.Line ? Text +
                          "; and for one after the copy that reads the memory "
                          "which changes at " +
                          lineOf(End)
                    : Text;
  if (End.Line)
    return "wait for an event after the copy that reads the memory which "
           "changes at " +
           lineOf(End);
  if (onlyOrders(P, S))
    return waitEvent(S) +
           " to order the GPU's work, or nothing, where it is on one stream";
  return "wait once, after the loop, if nothing in it needs the result: "
         "neither the host, nor a clock, another process or another API";
}

void adviseWait(const Project &P, Finding &F) {
  F.Replacement = insteadOfWait(P, F);
  const Place Clock = nextClock(P, *F.Site);
  const bool IsLate =
      F.Use.When != FirstUse::AtOnce && F.Use.When != FirstUse::Unknown;
  if (Clock.Line && IsLate && Clock.Offset < F.Use.Location.Offset)
    F.Replacement += "; but before the clock is read at " + lineOf(Clock) +
                     ", if it measures this";
  noteUse(F);
}

void adviseCopy(const Project &P, Finding &F) {
  if (!isToHost(*F.Site))
    return;
  switch (F.Use.When) {
  case FirstUse::AtOnce:
    F.Replacement = "the host uses the data at once, at " +
                    lineOf(F.Use.Location) +
                    ": let it use that of the iteration before "
                    "(cudaMemcpyAsync, two pinned buffers and an event for "
                    "each), or keep the copy";
    break;
  case FirstUse::SameIteration:
    F.Replacement = "cudaMemcpyAsync into pinned memory, and an event that is "
                    "waited for at " +
                    lineOf(F.Use.Location) +
                    ", where the host first uses the data";
    break;
  case FirstUse::NextIteration:
    F.Replacement = "cudaMemcpyAsync into pinned memory, and an event that is "
                    "waited for at " +
                    lineOf(F.Use.Location) +
                    ", where the next iteration uses the "
                    "data";
    break;
  case FirstUse::AfterLoop:
    F.Replacement = "copy once, after the loop, if only the last data is used "
                    "at " +
                    lineOf(F.Use.Location) +
                    "; else cudaMemcpyAsync into pinned memory, a part for "
                    "each iteration";
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
