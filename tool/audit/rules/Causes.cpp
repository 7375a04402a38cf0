// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/rules/Rules.h"

#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::CallClass;
using catalogue::Fact;
using catalogue::Waits;
using catalogue::WaitsFor;

namespace {

class Describer {
  const WaitOnPath &W;
  const Pending &Before;
  Finding &F;
  const LinkedSite &S;
  const Waits Wait;

public:
  Describer(const WaitOnPath &W, const Pending &Before, Finding &F)
      : W(W), Before(Before), F(F), S(W.site()), Wait(W.call().Effects.Wait) {}

  bool run() {
    if (!choose())
      return false;
    if (F.DrainedBy)
      F.Notes.push_back(
          {F.DrainedAt, "nothing has been queued since this call waited"});
    if (Before.Last && Before.Last != &W.step() && !S.Launches)
      F.Notes.push_back(
          {Before.Last->Location, "this work may still run then"});
    if (const Step *Next = F.Replacement.empty() ? nullptr : nextWait())
      F.Replacement +=
          ". The call at " + fileAndLine(seen(*Next)) +
          " waits next, with nothing queued in between: time is "
          "gained only " +
          (F.Rule == "autoprof-copy-async-pageable" ? "if it waits later, too"
                                                    : "without both");
    if (Before.Redundant && !F.Replacement.empty())
      F.Replacement += ". Remove " + nameOf(*Before.Redundant) +
                       ", too: time is gained only without both";
    if (const Step *Clock = F.Replacement.empty() ? nullptr : nextClock())
      F.Replacement += ". The time that is read next, at " +
                       fileAndLine(seen(*Clock)) +
                       ", then includes less or other work of the GPU: measure "
                       "that with events";
    F.Notes.insert(F.Notes.begin(), F.Conditions.begin(), F.Conditions.end());
    return true;
  }

private:
  /// The call that waits next on every path, if the wait holds up no work until
  /// then; or null.
  const Step *nextWait() const {
    if (F.DrainedBy || Wait != Waits::Yes || S.Launches)
      return nullptr;
    Search Steps(W.T, W.At, Search::Calls | Search::Unknown);
    const Step *Next =
        following(std::move(Steps), W.Loop, [&](const Step &Other, bool) {
          return leavesWork(Other) || Other.Class == Step::Unknown ||
                 (Other.Call && Other.Call->waits() &&
                  W.T.isGuardIn(W.step().Guard, Other.Guard));
        });
    return Next && Next->Call && Next->Call->waits() && Next != &W.step() &&
                   !Next->Call->Linked->Launches
               ? Next
               : nullptr;
  }

  /// Where a clock is read before another call waits, both on every path, or
  /// null. What is read under a condition is for a log, or a failure.
  const Step *nextClock() const {
    if (F.DrainedBy || F.Rule == "autoprof-sync-for-timing" ||
        Wait != Waits::Yes)
      return nullptr;
    const Step *Next = following(
        Search(W.T, W.At, Search::Host | Search::Calls), W.Loop,
        [&](const Step &Other, bool) {
          return (readsClock(Other) || (Other.Call && Other.Call->waits())) &&
                 W.T.isGuardIn(W.step().Guard, Other.Guard);
        });
    return Next && readsClock(*Next) ? Next : nullptr;
  }

  bool choose() {
    const CallClass Kind = S.kind();
    if (Kind == CallClass::Alloc || Kind == CallClass::Free || makesObject())
      return memory();
    if (S.Row && S.Row->Library == "libtorch")
      return torch();
    if (S.Row && S.Row->Library == "thrust")
      return thrust();
    if (Kind == CallClass::Sync)
      return explicitWait();
    if (Kind == CallClass::Copy || Kind == CallClass::Set)
      return isAsynchronous(S) ? pageable() : copy();
    return S.Launches && Wait == Waits::Yes && result();
  }

  //===-- Words -----------------------------------------------------------===//

  std::string often() const {
    const std::string Loop =
        "of the loop at " + fileAndLine(W.T.scopeOf(W.loop()).Location);
    const std::string If =
        F.Conditions.empty() ? "" : F.Conditions.front()->Description;
    if (F.HowOften == Frequency::Sometimes)
      return "in some iterations " + Loop + " (" + If + ")";
    return "in each iteration " + Loop + (If.empty() ? "" : " " + If);
  }

  std::string waits(StringRef For = "") const {
    StringRef What = Before.Redundant ? "the work queued before them"
                                      : "the work queued before it";
    if (W.call().Effects.Target == WaitsFor::Device)
      What = "all work on the device";
    else if (W.call().Effects.Target == WaitsFor::Event)
      What = "the work before the event";
    std::string Who =
        S.Model->Callee + (Wait == Waits::Yes ? " waits" : " may wait");
    if (Before.Redundant)
      Who = nameOf(*Before.Redundant) + ", and then " + S.Model->Callee +
            ", wait";
    return Who + " for " + (For.empty() ? What : For).str() + " " + often();
  }

  Place seen(const Step &S) const { return W.T.seenFrom(W.step().Frame, S); }

  std::string nameOf(const Step &S) const {
    return S.Call->Linked->Model->Callee + " at " + fileAndLine(seen(S));
  }

  std::string because() const {
    const std::string &Reason = W.call().Effects.Reason;
    return Reason.empty()         ? ""
           : Wait == Waits::Maybe ? ": " + Reason
                                  : ", because " + Reason;
  }

  /// Whether the value that the wait completes is what matters.
  bool steersOrShows() {
    const std::optional<ReadBack> Value = readBack(W, F);
    return Value && report(Value->Rule, waits() + Value->Clause);
  }

  bool report(StringRef Rule, std::string Message) {
    F.Rule = "autoprof-" + Rule.str();
    F.Message = std::move(Message);
    if (F.Replacement.empty())
      F.Replacement = W.call().Effects.Replacement.str();
    return true;
  }

  //===-- Memory and objects ----------------------------------------------===//

  /// Library plans and handles have class "other".
  bool makesObject() const {
    const StringRef Name = S.cudaRow();
    return S.kind() == CallClass::Other && Wait != Waits::No &&
           (Name.contains("Plan") || Name.contains("Create") ||
            Name.contains("Destroy"));
  }

  /// Whether an object that is destroyed does it.
  bool isInObject() const {
    return S.Model->Hidden || llvm::any_of(F.Path, [](const PathStep &Step) {
             return Step.EndsObject;
           });
  }

  bool memory() {
    // What is created or freed under a condition that changes is kept
    // otherwise: a buffer that grows, a handle for each device.
    const bool IsObjects = isInObject();
    if (F.HowOften == Frequency::Sometimes || (F.IsLatched && !IsObjects) ||
        S.cudaRow().contains("Async") ||
        (S.kind() == CallClass::Free && Wait == Waits::Slow))
      return false;
    adviseMemory(W, IsObjects, F);
    if (IsObjects && S.kind() == CallClass::Free)
      return report("memory-free-in-destructor",
                    waits() + " when an object is destroyed");
    return report("memory-alloc-in-loop",
                  Wait == Waits::Slow
                      ? S.Model->Callee + " allocates " + often() + because()
                      : waits() + because());
  }

  //===-- Libraries -------------------------------------------------------===//

  bool torch() {
    StringRef Name = S.Row->Name;
    if (!Name.consume_front("at::Tensor::"))
      Name.consume_front("at::");
    const uint32_t Source = W.call().Known[Fact::Source];
    if (Source == ~0u || !(Source & Device) ||
        (Wait != Waits::Yes && (!S.Row->DecidedBy.starts_with("source=") ||
                                S.Row->DecidedBy.contains(','))))
      return false;
    auto Is = [&](std::initializer_list<StringRef> Names) {
      return llvm::is_contained(Names, Name);
    };
    if (Is({"item", "_local_scalar_dense", "is_nonzero", "equal", "allclose"}))
      return report("torch-item",
                    waits() + ": a value of a CUDA tensor is copied to the "
                              "host");
    if (Name == "cpu" || ((Name == "to" || Name == "copy_") && isToHost()))
      return report("torch-cpu-copy",
                    waits() + ": a CUDA tensor is copied to the CPU");
    if (Is({"print", "operator<<"}))
      return report("torch-print",
                    waits() + ": the elements of a CUDA tensor are printed");
    if (Is({"nonzero", "argwhere", "masked_select", "_unique", "_unique2",
            "unique_dim", "unique_consecutive", "bincount", "repeat_interleave",
            "one_hot", "where", "index", "index_put_"}))
      return report("torch-dynamic-shape",
                    waits() + ": the size of its result depends on the data "
                              "of a CUDA tensor");
    return false;
  }

  bool thrust() {
    if (Wait != Waits::Yes)
      return false;
    if (steersOrShows())
      return true;
    if (hasOwnAllocator())
      return report("thrust-waits", waits("its stream"));
    return report("thrust-waits", waits() + because());
  }

  /// `thrust::cuda::par(allocator)`: temporary memory is not freed by the
  /// device, so the wait is for the stream only.
  bool hasOwnAllocator() const {
    const Arg *Policy = argument(S, 0);
    return Policy && (StringRef(Policy->Text).contains("par(") ||
                      StringRef(Policy->Text).contains("par_nosync("));
  }

  /// A result that a library returns to the host.
  bool result() {
    if (steersOrShows())
      return true;
    // Without a buffer, it only asks for the size.
    if (S.Row && S.Row->Library == "cusparse" &&
        llvm::any_of(S.Model->Args, [&](const Arg &A) {
          return W.T.resolve(W.step().Frame, A.Val).Mask == Null;
        }))
      return false;
    return report("library-blas-host-scalar",
                  waits("its result, which it returns to the host,"));
  }

  //===-- Copies ----------------------------------------------------------===//

  bool isToHost() const {
    return catalogue::settled(W.call().Known)[Fact::Direction] == DtoH;
  }

  bool copy() {
    if (Wait != Waits::Yes)
      return false;
    adviseCopy(W, F);
    adviseOrder(W, F);
    if (isToHost() && isValue(W.step()) && steersOrShows())
      return true;
    return report("copy-synchronous",
                  waits() + (isToHost() ? ", and for the data" : ""));
  }

  bool pageable() {
    const uint32_t Memory = catalogue::settled(
        W.call().Known)[isToHost() ? Fact::Destination : Fact::Source];
    const bool MayBePinned = Memory == (Pageable | Pinned);
    if (Memory != Pageable && !MayBePinned)
      return false;
    advisePageable(W, F);
    if (isToHost() && isValue(W.step()) && Wait == Waits::Yes &&
        steersOrShows())
      return true;
    return report("copy-async-pageable",
                  waits("its stream") +
                      (MayBePinned ? ": its host memory is pinned or pageable, "
                                     "depending on how the program allocates it"
                                   : ", because its host memory is pageable"));
  }

  //===-- Explicit waits --------------------------------------------------===//

  bool explicitWait() {
    if (Wait != Waits::Yes || isOfEarlierIteration())
      return false;
    const Step *Next = nextMoment(W);
    if (F.DrainedBy && !promisesToWait(*F.DrainedBy)) {
      adviseWait(W, Before, F);
      return report("sync-in-loop",
                    waits() + ", although nothing has been queued since " +
                        F.DrainedBy->Model->Callee + " at " +
                        fileAndLine(F.DrainedAt));
    }
    if (F.DrainedBy) {
      adviseWait(W, Before, F);
      return report("sync-repeated",
                    waits() +
                        " and changes nothing: nothing has been queued "
                        "since " +
                        F.DrainedBy->Model->Callee + " at " +
                        fileAndLine(F.DrainedAt) + " waited for the same work" +
                        (isAsynchronous(*F.DrainedBy)
                             ? ", because its memory is pageable"
                             : ""));
    }
    if (const Step *Later = supersededBy(W.T, W.At)) {
      const std::string By = nameOf(*Later);
      F.Level = std::min(F.Level, Severity::Low);
      F.Replacement = "remove it: " + By + " waits for the same work";
      return report("sync-repeated",
                    waits() + " and changes nothing: " + By + " waits next");
    }
    if (Next && readsClock(*Next) && F.Use.When == FirstUse::Unknown) {
      F.Level = std::min(F.Level, Severity::Low);
      F.Replacement = "record a pair of events in each iteration, and read "
                      "their times after the loop, if nothing else needs the "
                      "wait";
      F.Notes.push_back({Next->Location, "the time is read here"});
      return report("sync-for-timing", waits() + " only to read a clock");
    }
    if (steersOrShows())
      return true;
    adviseWait(W, Before, F);
    return report("sync-in-loop", waits());
  }

  /// Whether it waits for an event that an earlier iteration recorded: it
  /// bounds how far the host runs ahead.
  bool isOfEarlierIteration() const {
    const Arg *Event = argument(S, 0);
    if (W.call().Effects.Target != WaitsFor::Event || !Event)
      return false;
    const std::string Name = W.T.eventNamed(W.step().Frame, *Event);
    for (size_t I = W.loop().Begin; I < W.At; ++I) {
      const Step &Earlier = W.T.Steps[I];
      const Arg *Recorded =
          Earlier.Call ? argument(*Earlier.Call->Linked, 0) : nullptr;
      if (!Recorded || !Earlier.Call->Linked->cudaRow().contains("EventRecord"))
        continue;
      const std::string Other = W.T.eventNamed(Earlier.Frame, *Recorded);
      if (Name.empty() || Other.empty()
              ? Recorded->Text == Event->Text || Earlier.Frame != W.step().Frame
              : mayBeSame({~0u, Name}, {~0u, Other}))
        return false;
    }
    return true;
  }
};

} // namespace

bool describe(const WaitOnPath &W, const Pending &Before, Finding &F) {
  return Describer(W, Before, F).run();
}

} // namespace autoprof::audit
