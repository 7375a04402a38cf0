// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/rules/Advice.h"

#include "audit/Neighbors.h"
#include "audit/Walk.h"
#include "audit/rules/AdviceParts.h"
#include "audit/rules/CallerNeeds.h"
#include "audit/rules/Devices.h"
#include "audit/rules/Following.h"
#include "audit/rules/HostReads.h"
#include "audit/rules/Order.h"
#include "audit/rules/Outstanding.h"
#include "audit/rules/RunAhead.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::Fact;

void noteUse(Finding &F) {
  if (F.Use.Location.Line)
    F.Notes.push_back(
        {F.Use.Location, F.Use.Returned ? "the value is returned here"
                         : F.Use.Shared ? "the host accesses the memory here"
                         : F.Use.Elsewhere
                             ? "the host reads the result here"
                             : "the host first uses the result here"});
}

/// "'m', which the GPU may use, too".
static std::string sharedMemory(const FirstUse &Use) {
  return (Use.Name.empty() ? "memory" : "'" + Use.Name + "'") +
         (Use.Name.empty() ? " that the GPU may use, too"
                           : ", which the GPU may use, too");
}

/// Why the result must not be used one iteration later.
static const char *notLater() {
  return "; one iteration later may be too late, because the loop may block "
         "before that until there is new input";
}

static Advice keepTheWait(const std::string &Or) {
  return {"keep the wait" + Or, /*Keeps=*/true};
}

/// Advice for a wait before the host accesses memory that the GPU shares.
static Advice byAccess(const FirstUse &Use, bool MayBlock,
                       const std::string &AfterLoop) {
  const std::string At = fileAndLine(Use.Location);
  switch (Use.When) {
  case FirstUse::AtOnce:
    if (MayBlock)
      return keepTheWait(". At " + At + ", the host accesses " +
                         sharedMemory(Use) + notLater());
    return keepTheWait(", or let the host use the previous iteration's data "
                       "(two buffers, each with an event). At " +
                       At + ", the host accesses " + sharedMemory(Use));
  // Not a wait for later work: the access may be a signal to it.
  case FirstUse::SameIteration:
  case FirstUse::NextIteration:
    return keepTheWait(", or record an event here and wait for it at " + At +
                       (Use.When == FirstUse::NextIteration
                            ? ", where the next iteration"
                            : ", where the host") +
                       " accesses " + sharedMemory(Use));
  case FirstUse::AfterLoop:
    return {"wait once, " + AfterLoop + ": at " + At + ", the host accesses " +
            sharedMemory(Use)};
  case FirstUse::Unknown:
    break;
  }
  return {};
}

std::string byReturn(const FirstUse &Use, const char *ToKeep,
                     const char *Other) {
  return std::string("keep the ") + ToKeep + ", or " + Other +
         " and an event instead of the value. The callers must then wait for "
         "the event before they read the memory, and read it before the next "
         "call. The function returns the value at " +
         fileAndLine(Use.Location);
}

std::string afterLoop(const Finding &F) {
  if (F.Path.empty())
    return "after the loop";
  return "after the loop at " + fileAndLine(F.Path.front().Location);
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

/// Advice from the host's use of what the wait completes; "" if unknown.
/// `InOrder`: streams order the work that is queued next. `MayBlock`: the loop
/// may have to wait for the next iteration until something else happens.
static Advice byUse(const FirstUse &Use, bool InOrder, bool MayBlock,
                    const std::string &AfterLoop) {
  if (Use.Shared)
    return byAccess(Use, MayBlock, AfterLoop);
  if (Use.Elsewhere)
    return keepTheWait(", or record an event here and wait for it before the "
                       "host reads the result at " +
                       fileAndLine(Use.Location));
  switch (Use.When) {
  case FirstUse::AtOnce:
    if (Use.Returned)
      return {byReturn(Use, "wait", "return the memory"), /*Keeps=*/true};
    if (MayBlock)
      return keepTheWait(", or let another thread wait for an event and use "
                         "the result. The host uses the result immediately, "
                         "at " +
                         fileAndLine(Use.Location) + notLater());
    return {"use the previous iteration's result (two buffers, each with an "
            "event), or keep the wait. The host uses the result immediately, "
            "at " +
            fileAndLine(Use.Location)};
  case FirstUse::SameIteration:
    return {
        "wait for an event at " + fileAndLine(Use.Location) +
        ", where the host first uses the result" +
        (InOrder ? ". The work queued in between does not need the wait" : "")};
  case FirstUse::NextIteration:
    return {"wait for an event at " + fileAndLine(Use.Location) +
            ", where the next iteration uses the result"};
  case FirstUse::AfterLoop:
    return {"wait once, " + AfterLoop + ": the host uses the result at " +
            fileAndLine(Use.Location)};
  case FirstUse::Unknown:
    break;
  }
  return {};
}

/// What holds for work on other streams if the wait is removed or postponed.
static std::string andOrder(const OrderWithout &Order) {
  if (Order.Kept == Order::Kept)
    return "";
  if (!Order.Location.Line)
    return ". If a caller then queues work on another stream, keep the wait: "
           "nothing else orders that work after this";
  if (!Order.Unseen.empty())
    return ". If " + Order.Unseen + " at " + fileAndLine(Order.Location) +
           ", whose code is not visible, queues work on a different stream, "
           "keep the wait: nothing else orders that work after this";
  return ". If the work queued at " + fileAndLine(Order.Location) +
         " is on another stream than the work before the wait, keep the wait: "
         "nothing else orders them";
}

/// Where the host changes the source of a copy that the wait completes, before
/// the wait is reached again.
static Place nextChangeOfSource(const Project &P, const LinkedSite &S) {
  std::vector<int> Sources;
  const Neighbors Near(P, S.Function);
  Near.preceding(S, [&](const Moment &M) {
    if (M.Linked && M.Linked->kind() == catalogue::CallClass::Copy &&
        M.Linked->Effects.Wait != catalogue::Waits::Yes &&
        catalogue::settled(M.Linked->Known)[Fact::Direction] == HtoD &&
        isOutstanding(P, S, *M.Linked))
      if (const Arg *Source = argument(*M.Linked, 1))
        Sources.push_back(Source->Cell);
    return M.Class != Moment::Edge && M.Linked != &S;
  });
  Place Result;
  const Function &F = P.functionOf(S);
  for (EventRef Own : eventsOf(F, Event::SiteReached, S.Model - F.Sites.data()))
    walkForward(F, Own, [&](const Event &E) {
      const bool Changes = E.Class == Event::Written ||
                           (E.Class == Event::Passed && !E.ReadOnly) ||
                           E.Class == Event::Dies;
      if (Changes && isInLoopOf(P, S, E.Location) &&
          llvm::is_contained(Sources, int(E.Index)) && !Result.Line)
        Result = E.Location;
      return !Result.Line;
    });
  return Result;
}

/// What the host must still wait for if events order the streams.
static std::string forHostStill(const Project &P, const LinkedSite &S) {
  Place Change = nextChangeOfSource(P, S), Access;
  if (!Change.Line && P.loopAround(S.Function, S.Model->Scope) < 0) {
    const CallerNeeds Needs = neededByCallers(P, S);
    Change = Needs.Changes;
    Access = Needs.Accesses;
  }
  if (Change.Line)
    return ". The host must still wait for the copy before it changes its "
           "source at " +
           fileAndLine(Change);
  return Access.Line
             ? ". The host must still wait before " + fileAndLine(Access) +
                   " if it accesses what the copies read or write"
             : "";
}

/// For a wait that is the only order between streams.
static Advice keepForOrder(const Project &P, Finding &F, const Place &Later) {
  F.Notes.push_back(
      {Later, "only the wait orders this work after earlier work"});
  return keepTheWait(
      ", or order the streams with an event and " + waitEvent(*F.Site) +
      ". No stream orders the work at " + fileAndLine(Later) +
      " after the work that is waited for" + forHostStill(P, *F.Site) +
      (F.Use.Location.Line
           ? ". The host must still wait before it uses the result at " +
                 fileAndLine(F.Use.Location)
           : std::string()));
}

/// Whether a call of the API is on this line. Calls on the same line check its
/// result, as in `check(cudaStreamSynchronize(s))`.
static bool hasSite(const Function &F, const Place &Location) {
  return llvm::any_of(F.Sites, [&](const Site &S) {
    return S.Location.Line == Location.Line && S.Location.File == Location.File;
  });
}

/// Whether host code that may use the result comes before the next work that
/// the loop queues: a function whose data is not followed, or a caller.
static bool mayServeUnseen(const Project &P, const LinkedSite &S) {
  const Function &F = P.functionOf(S);
  const bool HasLoop = P.loopAround(S.Function, S.Model->Scope) >= 0;
  bool Result = false;
  const std::vector<Moment> Ends =
      Neighbors(P, S.Function).following(S, [&](const Moment &M) {
        if (!isInLoopOf(P, S, M.Location) || (M.Linked && M.Linked->QueuesWork))
          return false;
        const bool CallsHost = M.Class == Moment::Call &&
                               (M.Callee >= 0 || M.Effects.CallsUnknown) &&
                               !M.Effects.UsesApi;
        Result |= CallsHost && !hasSite(F, M.Location);
        return true;
      });
  return Result || (!HasLoop && llvm::any_of(Ends, [](const Moment &M) {
           return M.Class == Moment::Edge;
         }));
}

/// Whether cudaStreamAttachMemAsync is what the wait waits for, in the same
/// loop: the host may access the memory only after it has taken effect.
static bool completesAttachment(const Project &P, const LinkedSite &S) {
  bool Result = false;
  Neighbors(P, S.Function).preceding(S, [&](const Moment &M) {
    Result |= M.Linked &&
              M.Linked->cudaRow().ends_with("StreamAttachMemAsync") &&
              isInLoopOf(P, S, M.Location);
    return M.Class != Moment::Edge && !Result &&
           !(M.Linked && (M.Linked->QueuesWork || isExplicitWait(*M.Linked)));
  });
  return Result;
}

/// Whether the wait also waits for other work, which must be complete at the
/// same point.
static bool completesMoreThanAttachment(const Project &P, const LinkedSite &S) {
  bool Result = false;
  Neighbors(P, S.Function).preceding(S, [&](const Moment &M) {
    if (M.Class == Moment::Edge || (M.Linked && isExplicitWait(*M.Linked)))
      return false;
    const bool IsWork =
        M.Linked ? M.Linked->QueuesWork &&
                       M.Linked->Effects.Wait != catalogue::Waits::Yes &&
                       !M.Linked->cudaRow().ends_with("StreamAttachMemAsync")
                 : M.Class == Moment::Call && M.Effects.MayLaunch;
    Result |= IsWork && isInLoopOf(P, S, M.Location);
    return !Result;
  });
  return Result;
}

static Place endOfLifetime(const Project &P, const LinkedSite &Wait) {
  return endOfLifetime(P, Wait, [&](const LinkedSite &Work) {
    return isOutstanding(P, Wait, Work);
  });
}

/// Whether nothing can replace a wait.
static bool mustStay(const Project &P, const LinkedSite &S,
                     const OrderWithout &Order, const FirstUse &Use) {
  if (nextHandOver(P, S).Line)
    return true;
  // Without the attachment, the host would still need the other work.
  if (completesAttachment(P, S) && completesMoreThanAttachment(P, S))
    return true;
  return Order.Kept == Order::Lost &&
         (Use.When == FirstUse::AtOnce || nextEnd(P, S).Line ||
          endOfLifetime(P, S).Line);
}

bool mustStay(const Project &P, const LinkedSite &S) {
  return mustStay(P, S, orderWithout(P, S), firstUse(P, S));
}

bool isNeededInLoop(const Project &P, const LinkedSite &S) {
  const OrderWithout Order = orderWithout(P, S);
  const FirstUse Use = firstUse(P, S);
  const bool IsUsed = Use.Shared ? Use.When == FirstUse::AtOnce
                                 : Use.When != FirstUse::Unknown &&
                                       Use.When != FirstUse::AfterLoop;
  return mustStay(P, S, Order, Use) || Order.Kept == Order::Lost || IsUsed ||
         completesAttachment(P, S) || nextEnd(P, S).Line ||
         endOfLifetime(P, S).Line || isPerDevice(P, S);
}

/// For a wait after which the host may read the result under another name.
static Advice keepForRead(Finding &F, const Place &Read,
                          const std::string &More = "") {
  F.Level = std::min(F.Level, Severity::Low);
  F.Notes.push_back({Read, "the host may read the result here"});
  return keepTheWait(
      ", unless the host code at " + fileAndLine(Read) +
      " accesses other memory than the copies before the wait: the audit does "
      "not follow what it accesses" +
      More);
}

/// For a wait after which only more work is queued.
static Advice insteadOfOrdering(const Project &P, const LinkedSite &S,
                                const OrderWithout &Order) {
  const std::string Stream = onlyStreamOf(P, S);
  if (Order.Kept == Order::Kept && !Stream.empty())
    return unlessBound(P, S,
                       {"remove it: all this work is on stream '" + Stream +
                        "', which keeps it in order"});
  return unlessBound(
      P, S,
      {"remove it if all this work is on one stream, which keeps it in order. "
       "If it is on several, order the streams with an event and " +
       waitEvent(S) + " instead"});
}

/// For a wait in a function without a loop, for what its callers do next.
static Advice fromCallers(const Project &P, Finding &F,
                          const OrderWithout &Order) {
  const LinkedSite &S = *F.Site;
  const CallerNeeds Needs = neededByCallers(P, S);
  if (Needs.any())
    F.Level = std::min(F.Level, Severity::Low);
  F.Certainty = std::min(F.Certainty, Confidence::Medium);
  if (Needs.Changes.Line)
    F.Notes.push_back({Needs.Changes, "the source of a copy is changed here"});
  if (Needs.Unordered.Line)
    return keepForOrder(P, F, Needs.Unordered);
  if (Needs.Changes.Line)
    return keepTheWait(", or wait for an event before " +
                       fileAndLine(Needs.Changes) +
                       " changes the source of a copy" + andOrder(Order));
  if (Needs.Accesses.Line)
    return keepForRead(F, Needs.Accesses, andOrder(Order));
  return unlessBound(
      P, S,
      {"wait once, " + afterLoop(F) +
       ", unless a caller needs the wait. The audit does not follow all that "
       "callers do, so check for host code that reads results or changes what "
       "copies read, work on other streams or devices, clocks, other processes "
       "and other APIs" +
       andOrder(Order)});
}

static Advice insteadOfWait(const Project &P, Finding &F,
                            const OrderWithout &Order) {
  const LinkedSite &S = *F.Site;
  if (Order.Kept == Order::Lost)
    return keepForOrder(P, F, Order.Location);
  if (const Place Next = nextEnd(P, S); Next.Line) {
    F.Notes.push_back({Next, "this frees or destroys what the GPU may use"});
    return keepTheWait(", or keep what is freed or destroyed at " +
                       fileAndLine(Next) +
                       " until the loop ends. If it is the same in each "
                       "iteration, create it once and reuse it");
  }
  const bool UseIsClose =
      F.Use.When != FirstUse::Unknown && F.Use.When != FirstUse::AfterLoop;
  if (const Place Read = mayReadCopied(P, S); Read.Line && !UseIsClose)
    return keepForRead(F, Read);
  const Place End = endOfLifetime(P, S);
  if (End.Line)
    F.Notes.push_back({End, "memory that queued work uses is changed here"});
  const std::string AfterLoop = afterLoop(F);
  Advice ByUse = byUse(F.Use, Order.Kept == Order::Kept, mayBlockForInput(P, S),
                       AfterLoop);
  std::string &Text = ByUse.Text;
  if (End.Line)
    Text += (Text.empty() ? "record" : ". Also record") +
            (" an event after the work that uses the memory changed at " +
             fileAndLine(End)) +
            ", and wait for it before that change";
  if (!Text.empty() && F.Use.When != FirstUse::AtOnce)
    Text += andOrder(Order);
  if (!Text.empty())
    return UseIsClose ? ByUse : unlessBound(P, S, ByUse);
  if (const Place Free = nextOrderedFree(P, S); Free.Line)
    F.Notes.push_back(
        {Free, "this needs no wait: it frees in the order of the stream"});
  if (const Place Stream = nextStreamEnd(P, S); Stream.Line)
    return {"create the stream once, before the loop, and wait for it once, "
            "after the loop. The call that destroys it at " +
            fileAndLine(Stream) +
            " does not need the wait: it returns at once, and the stream is "
            "released when its work is done"};
  if (const LinkedSite *Copy = nextWaitingCopy(P, S))
    return {"remove it, if all work that it waits for is on streams for which "
            "the next call waits, too: " +
            Copy->Model->Callee + " at " + fileAndLine(Copy->Model->Location)};
  if (P.loopAround(S.Function, S.Model->Scope) < 0 && !onlyOrders(P, S))
    return fromCallers(P, F, Order);
  if (onlyOrders(P, S))
    return unlessForThread(P, F, insteadOfOrdering(P, S, Order));
  if (mayServeUnseen(P, S))
    F.Certainty = std::min(F.Certainty, Confidence::Medium);
  return unlessForThread(
      P, F,
      unlessBound(
          P, S,
          {"wait once, " + AfterLoop +
           ", unless something in the loop needs the wait. The audit sees "
           "nothing that does, but check for host code that reads results, "
           "work on other streams or devices, clocks, other processes and "
           "other APIs" +
           andOrder(Order)}));
}

/// For a wait in a loop over devices.
static Advice perDevice(const std::string &AfterLoop) {
  return keepTheWait(
      " if another device or the host uses the results in the same iteration: "
      "streams do not order work on different devices. Otherwise, wait for "
      "each device once, " +
      AfterLoop);
}

static Advice keepForAttachment() {
  return keepTheWait(", or attach the memory once, before the loop. The host "
                     "may access the memory only after the wait for "
                     "cudaStreamAttachMemAsync");
}

bool adviseWait(const Project &P, Finding &F) {
  const OrderWithout Order = orderWithout(P, *F.Site);
  if (mustStay(P, *F.Site, Order, F.Use))
    return false;
  const bool IsPerDevice = isPerDevice(P, *F.Site);
  const bool IsAttachment = completesAttachment(P, *F.Site);
  const Advice Instead = IsPerDevice    ? perDevice(afterLoop(F))
                         : IsAttachment ? keepForAttachment()
                                        : insteadOfWait(P, F, Order);
  F.Replacement = Instead.Text;
  if (IsPerDevice || IsAttachment || F.Use.Elsewhere ||
      (F.Use.When == FirstUse::AtOnce &&
       (F.Use.Shared || mayBlockForInput(P, *F.Site))))
    F.Level = std::min(F.Level, Severity::Low);
  if (const LinkedSite *Times = nextElapsedTime(P, *F.Site);
      Times && (F.Use.When != FirstUse::SameIteration ||
                F.Use.Location.Offset >= Times->Model->Location.Offset)) {
    addElapsedTime(F, Instead.Keeps, *Times);
    noteUse(F);
    return true;
  }
  const Place Clock = nextClock(P, *F.Site);
  const bool IsLate =
      F.Use.When != FirstUse::AtOnce && F.Use.When != FirstUse::Unknown;
  if (!IsPerDevice && !IsAttachment && Clock.Line && IsLate &&
      Clock.Offset < F.Use.Location.Offset)
    F.Replacement += ". If the clock that is read at " + fileAndLine(Clock) +
                     " times this work, wait before it is read";
  noteUse(F);
  return true;
}

} // namespace autoprof::audit
