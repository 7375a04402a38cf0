// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/rules/Rules.h"

#include "catalogue/Remedies.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::CallClass;
using catalogue::Fact;

std::string fileAndLine(const Place &Location) {
  return llvm::sys::path::filename(Location.File).str() + ":" +
         std::to_string(Location.Line);
}

std::string afterLoop(const WaitOnPath &W) {
  return "after the loop at " + fileAndLine(W.T.scopeOf(W.loop()).Location);
}

bool readsClock(const Step &S) {
  return S.Class == Step::Host
             ? S.Happened->Class == Event::Clock
             : S.Call && S.Call->Linked->cudaRow().ends_with("ElapsedTime");
}

/// Whether it asks for an error, or creates or asks for something: nothing for
/// which the GPU works.
static bool isQuiet(const Step &S) {
  if (S.Class == Step::Host)
    return S.Happened->Class != Event::Clock &&
           S.Happened->Class != Event::HandsOver;
  return S.Call && !S.Call->waits() && !S.Call->Linked->QueuesWork &&
         !readsClock(S) && S.Call->Linked->kind() != CallClass::Free;
}

const Step *nextMoment(const WaitOnPath &W) {
  return following(Search(W.T, W.At), W.Loop,
                   [](const Step &S, bool) { return !isQuiet(S); });
}

bool promisesToWait(const LinkedSite &S) {
  return S.kind() == CallClass::Sync || S.kind() == CallClass::Copy;
}

//===-- Explicit waits ----------------------------------------------------===//

namespace {

/// What follows an explicit wait until the next one for the same work.
struct After {
  const Step *Frees = nullptr;     ///< Frees or destroys what the GPU may use.
  std::vector<Place> OtherStreams; ///< Work that nothing else orders.
  bool MayBeOther = false;         ///< Work on a stream that may be another.
  const Step *Reads = nullptr;     ///< Host code whose memory is not followed.
  const Step *HandsOver = nullptr;
  bool Queues = false;
};

bool isFreed(const Step &S) {
  if (!S.Call || S.Call->Linked->kind() == CallClass::Sync)
    return false;
  const StringRef Row = S.Call->Linked->cudaRow();
  return !Row.contains("Async") && !Row.ends_with("StreamDestroy") &&
         !Row.ends_with("EventDestroy") &&
         (S.Call->Linked->kind() == CallClass::Free ||
          Row.contains("Destroy") || Row.contains("Unregister"));
}

/// Whether no stream orders the one's work before the other's.
enum class Ordered { Yes, No, Unknown };
Ordered ordered(const StreamId &A, const StreamId &B) {
  if (!A.Name.empty() && A.Name == B.Name)
    return Ordered::Yes;
  for (const auto &[One, Other] : {std::pair(&A, &B), std::pair(&B, &A)})
    if (One->Kind == Legacy && Other->Kind != ~0u) {
      if (!(Other->Kind & NonBlocking))
        return Ordered::Yes;
      if (Other->Kind == NonBlocking)
        return Ordered::No;
    }
  const auto IsCreated = [](const StreamId &S) {
    return S.Kind != ~0u && !(S.Kind & ~uint32_t(Blocking | NonBlocking));
  };
  return IsCreated(A) && IsCreated(B) && !mayBeSame(A, B) ? Ordered::No
                                                          : Ordered::Unknown;
}

/// Whether the order of a call after earlier work matters: it queues work, or
/// frees memory in the order of a stream.
bool needsOrder(const Step &S) {
  return leavesWork(S) ||
         (S.Call && (S.Call->Linked->QueuesWork ||
                     (S.Call->Linked->kind() == CallClass::Free &&
                      isAsynchronous(*S.Call->Linked))));
}

bool isIn(llvm::ArrayRef<Place> Places, const Place &P) {
  return llvm::any_of(Places, [&](const Place &Known) {
    return Known.File == P.File && Known.Line == P.Line;
  });
}

/// "a.cu:1, b.cu:2 and 3 more places"
std::string someOf(llvm::ArrayRef<Place> Places) {
  constexpr size_t Most = 4;
  std::vector<std::string> Names;
  for (const Place &P : Places.take_front(Most))
    Names.push_back(fileAndLine(P));
  const size_t More = Places.size() - Names.size();
  return llvm::join(Names, ", ") +
         (More ? " and " + std::to_string(More) + " more places" : "");
}

After after(const WaitOnPath &W) {
  After Result;
  const bool IsExplicit = isExplicitWait(W.step());
  const std::vector<StreamId> Earlier = awaitedStreams(W.T, W.At);
  bool MayBeOrdered = false; // By a wait under a condition.
  Search Steps(W.T, W.At, Search::All & ~Search::Quiet);
  following(std::move(Steps), W.Loop, [&](const Step &S, bool) {
    if (S.Class == Step::Host) {
      const Event::Kind Kind = S.Happened->Class;
      if ((Kind == Event::Accessed || Kind == Event::Touched ||
           Kind == Event::Passed || Kind == Event::CallMade) &&
          (!Result.Queues || Kind == Event::Touched) && !Result.Reads)
        Result.Reads = &S;
      if (Kind == Event::HandsOver && !Result.HandsOver && !Result.Queues)
        Result.HandsOver = &S;
      return false;
    }
    if (S.Class == Step::Unknown) {
      if (!Result.Queues && !Result.Reads)
        Result.Reads = &S;
      Steps.ignore(Search::Unknown);
      return false;
    }
    if (!Result.Frees && isFreed(S) && !Result.Queues)
      Result.Frees = &S;
    if (needsOrder(S)) {
      Result.Queues |= leavesWork(S);
      for (const StreamId &Before : Earlier) {
        const Ordered Order =
            S.Call ? ordered(Before, S.Call->Stream) : Ordered::Unknown;
        if (Order == Ordered::No && !isIn(Result.OtherStreams, S.Location) &&
            (!MayBeOrdered || Result.OtherStreams.empty()))
          Result.OtherStreams.push_back(S.Location);
        Result.MayBeOther |= Order == Ordered::Unknown;
      }
    }
    // A copy gains time only without the ones that follow at once.
    const bool Waits =
        S.Call && S.Call->waits() && (IsExplicit || Result.Queues);
    MayBeOrdered |= Waits;
    return Waits && W.T.isGuardIn(W.step().Guard, S.Guard);
  });
  Result.MayBeOther |= Earlier.empty();
  return Result;
}

std::string waitEvent(const LinkedSite &S) {
  return S.cudaRow().starts_with("cuda") ? "cudaStreamWaitEvent"
                                         : "cuStreamWaitEvent";
}

} // namespace

/// By the host's use of what the wait completes; "" if that is not known.
static std::string byUse(const WaitOnPath &W, const FirstUse &Use) {
  const std::string At = fileAndLine(Use.Location);
  switch (Use.When) {
  case FirstUse::AtOnce:
    return "if the previous iteration's result does as well, use that (two "
           "buffers, each with an event). Otherwise, keep the wait. The host "
           "uses the result immediately, at " +
           At;
  case FirstUse::SameIteration:
    return "wait for an event before the host uses the result, as at " + At;
  case FirstUse::NextIteration:
    return "wait for an event before the next iteration uses the result, as "
           "at " +
           At;
  case FirstUse::AfterLoop:
    return "wait once, " + afterLoop(W) +
           ", if the host uses the result only there, as at " + At;
  case FirstUse::Unknown:
    break;
  }
  return "";
}

/// A copy from or to the host that may run until the wait; null: none.
static const Step *copyOfHost(const WaitOnPath &W) {
  for (const Step *S : pendingWork(W.T, W.At))
    if (S->Call && S->Call->Linked->kind() == CallClass::Copy &&
        (catalogue::settled(S->Call->Known)[Fact::Direction] & (DtoH | HtoD)))
      return S;
  return nullptr;
}

void adviseWait(const WaitOnPath &W, const Pending &Before, Finding &F) {
  if (F.DrainedBy) {
    F.Replacement =
        isAsynchronous(*F.DrainedBy)
            ? "keep it if the copy at " + fileAndLine(F.DrainedAt) +
                  " gets pinned memory: then this is the wait that is needed. "
                  "Otherwise, remove it"
        : promisesToWait(*F.DrainedBy)
            ? "remove it"
            : "keep the wait if the host then reads what the GPU wrote: "
              "documentation does not promise that " +
                  F.DrainedBy->Model->Callee + " waits";
    return;
  }
  After Next = after(W);
  auto Note = [&](const Step &At, const char *Text) {
    F.Notes.push_back({At.Location, Text});
  };
  if (Next.HandsOver) {
    F.Level = std::min(F.Level, Severity::Low);
    Note(*Next.HandsOver, "another thread or process may continue from here");
    F.Replacement = "keep the wait: another thread or process may use the "
                    "results from " +
                    fileAndLine(Next.HandsOver->Location) + " on";
    return;
  }
  if (!Next.OtherStreams.empty()) {
    F.Notes.push_back({Next.OtherStreams.front(),
                       "only the wait orders this work after work on other "
                       "streams"});
    F.Replacement = "keep the order without the host: record an event on each "
                    "stream that has work queued here, and let the streams of "
                    "all later work that may need it wait for these events (" +
                    waitEvent(W.site()) +
                    "). Only the wait orders the work at " +
                    someOf(Next.OtherStreams) + " after work on other streams";
    if (F.Use.Location.Line)
      F.Replacement += ". The host must still wait before it uses the result "
                       "at " +
                       fileAndLine(F.Use.Location);
    if (const Step *Change = nextChange(W.T, W.At, W.Loop))
      F.Replacement += ". The host must still wait before it accesses, at " +
                       fileAndLine(Change->Location) +
                       ", memory that the queued work uses";
    else if (const Step *Copy = F.Use.Location.Line ? nullptr : copyOfHost(W))
      F.Replacement += ". The host must still wait before it reads or "
                       "overwrites its memory of the copy at " +
                       fileAndLine(Copy->Location);
    return;
  }
  if (Next.Frees) {
    Note(*Next.Frees, "this frees or destroys what the GPU may use");
    F.Replacement = "keep what is freed or destroyed at " +
                    fileAndLine(Next.Frees->Location) +
                    " and reuse it in the next iteration; until then, keep the "
                    "wait";
    return;
  }
  // Every n-th iteration.
  const bool MayBound = F.HowOften == Frequency::Sometimes;
  F.Replacement = byUse(W, F.Use);
  const Step *Change = nextChange(W.T, W.At, W.Loop);
  if (!F.Replacement.empty()) {
    F.Notes.push_back({F.Use.Location, "the host uses the result here"});
  } else if (Change) {
    F.Replacement = "wait for an event before the host accesses, at " +
                    fileAndLine(Change->Location) +
                    ", memory that the queued work uses";
  } else if (Next.Reads) {
    F.Certainty = std::min(F.Certainty, Confidence::Medium);
    Note(*Next.Reads, "the host may read the result here");
    F.Replacement = "if the host code at " + fileAndLine(Next.Reads->Location) +
                    " reads the result or changes what queued work uses, wait "
                    "for an event there. If nothing in the loop does, wait "
                    "once, " +
                    afterLoop(W);
  } else {
    F.Replacement = "wait once, " + afterLoop(W) +
                    ", if no host code in the loop reads the result or changes "
                    "what queued work uses";
  }
  if (Change) {
    Note(*Change, "the host accesses memory that the queued work uses");
    if (F.Use.Location.Line)
      F.Replacement +=
          ". Also wait for an event before the host accesses, at " +
          fileAndLine(Change->Location) + ", memory that the queued work uses";
  }
  if (MayBound && !F.Use.Location.Line)
    F.Replacement = "keep the wait if it bounds how far the host runs ahead. "
                    "Otherwise, " +
                    F.Replacement;
  if (Next.MayBeOther && F.Use.When != FirstUse::AtOnce)
    F.Replacement += ". If later work is on another stream, order the streams "
                     "with an event and " +
                     waitEvent(W.site());
}

//===-- Copies ------------------------------------------------------------===//

void adviseCopy(const WaitOnPath &W, Finding &F) {
  const catalogue::Remedy Known = catalogue::remedyOf(*W.site().Row);
  const std::string Form = Known.AsyncForm.str();
  if (Form.empty())
    return;
  const catalogue::Facts Facts = catalogue::settled(W.call().Known);
  const bool ToHost = Facts[Fact::Direction] == DtoH;
  const bool IsPinned =
      Facts[ToHost ? Fact::Destination : Fact::Source] == Pinned;
  const std::string Pinned = IsPinned ? ""
                             : ToHost ? " into pinned memory"
                                      : " from pinned memory";
  if (F.DrainedBy) {
    F.Replacement = "nothing is queued before it, so it only takes the time "
                    "of the copy; make one copy of several";
    return;
  }
  if (Facts[Fact::Direction] == HtoH) {
    F.Replacement = "memcpy: both sides are memory of the host";
    return;
  }
  if (!ToHost && Facts[Fact::Direction] != HtoD) {
    F.Replacement =
        Form + ". Wait for an event before the host touches the data";
    return;
  }
  if (!ToHost) {
    const Step *Change = nextChange(W.T, W.At, W.Loop);
    F.Replacement =
        (Change ? ""
                : "if the data stays the same, copy it before the loop. "
                  "Otherwise, ") +
        Form + Pinned + " on the stream of the work that uses the data" +
        (Known.OrArgument ? ", or a kernel argument" : "") +
        ". Wait for an event before the source buffer is overwritten" +
        (Change ? ", as at " + fileAndLine(Change->Location) : "");
    return;
  }
  const std::string At = fileAndLine(F.Use.Location);
  if (F.Use.IsCopied) {
    F.Replacement = "if the host only copies the data back, at " + At +
                    ", keep it on the GPU, or copy it there. Otherwise, use " +
                    Form + Pinned +
                    ", and wait for an event before the host uses the data";
    F.Notes.push_back({F.Use.Location, "the host copies the data back here"});
    return;
  }
  switch (F.Use.When) {
  case FirstUse::AtOnce:
    F.Replacement = "if the host can use the data some iterations later, use " +
                    Form +
                    " into a ring of pinned slots, each with an event, and "
                    "read each slot then. Otherwise, keep the copy, or move "
                    "the computation to the GPU. The host uses the data "
                    "immediately, at " +
                    At;
    break;
  case FirstUse::SameIteration:
  case FirstUse::NextIteration:
    F.Replacement = Form + Pinned +
                    ", and wait for an event before the host uses the data, as "
                    "at " +
                    At;
    break;
  case FirstUse::AfterLoop:
    F.Replacement = "copy once, " + afterLoop(W) +
                    ", if only the last data is used at " + At +
                    ". Otherwise, use " + Form + Pinned +
                    ", with a separate part of the memory for each iteration";
    break;
  case FirstUse::Unknown:
    F.Replacement = Form + Pinned +
                    ", and wait for an event where the host first uses the "
                    "data: time is gained if the GPU gets more work before "
                    "that";
    return;
  }
  F.Notes.push_back({F.Use.Location, "the host uses the data here"});
}

void adviseOrder(const WaitOnPath &W, Finding &F) {
  if (F.DrainedBy || F.Replacement.empty())
    return;
  const std::vector<Place> Others = after(W).OtherStreams;
  if (!Others.empty())
    F.Replacement +=
        ". This call also orders the work at " + someOf(Others) +
        " after work on other streams: let its streams wait for an event "
        "of that work (" +
        waitEvent(W.site()) + ")";
}

void advisePageable(const WaitOnPath &W, Finding &F) {
  const bool ToHost =
      catalogue::settled(W.call().Known)[Fact::Direction] == DtoH;
  const StringRef Memory = catalogue::remedyOf(*W.site().Row).Memory;
  F.Replacement =
      (Memory.empty() ? W.call().Effects.Replacement : Memory).str() +
      (ToHost ? ". The copy into pageable memory was the wait: wait for an "
                "event before the host reads or overwrites the buffer"
              : ". Wait for an event before the host overwrites the buffer");
  for (const KnownFact &One : W.site().Model->Facts)
    if (One.Subject == (ToHost ? Fact::Destination : Fact::Source))
      if (const Resolved From = W.T.resolve(W.step().Frame, One.Val);
          From.Location.Line)
        F.Notes.push_back({From.Location, "the memory is allocated here"});
}

//===-- Memory ------------------------------------------------------------===//

void adviseMemory(const WaitOnPath &W, bool InObject, Finding &F) {
  const LinkedSite &S = W.site();
  if (InObject)
    for (const PathStep &Step : F.Path)
      if (Step.EndsObject) {
        F.Notes.push_back({Step.Location, "the object is destroyed here"});
        break;
      }
  if (S.kind() != CallClass::Free) {
    F.Replacement =
        "do it once and reuse the result; if the size changes, only "
        "when a larger one is needed";
    if (S.cudaRow() == "cudaMalloc")
      F.Replacement += ". Or allocate it with cudaMallocAsync from a pool with "
                       "a release threshold, and free it in the order of the "
                       "stream";
    return;
  }
  const bool MayBeOrdered =
      S.cudaRow() == "cudaFree" &&
      !(catalogue::settled(W.call().Known)[Fact::Destination] &
        ~uint32_t(Device));
  F.Replacement = InObject ? "create the object once, before the loop (one "
                             "for each iteration whose work may still run)"
                           : "keep the memory and reuse it";
  if (MayBeOrdered)
    F.Replacement += ", or allocate it with cudaMallocAsync and free it with "
                     "cudaFreeAsync on the stream of the work that uses it";
  if (W.call().waits())
    F.Replacement += ". This call also waited for all work: keep a wait where "
                     "the host uses results";
  if (W.call().waits() && (S.cudaRow().ends_with("FreeHost") ||
                           S.cudaRow().ends_with("HostUnregister")))
    F.Replacement += ", and wait for an event after the copy before the host "
                     "overwrites the buffer";
}

} // namespace autoprof::audit
