// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/rules/Causes.h"

#include "audit/rules/Remedies.h"

#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::CallClass;
using catalogue::Fact;
using catalogue::Waits;
using catalogue::WaitsFor;

namespace {

/// At most this many bytes are a value; more are data.
constexpr int64_t LargestValue = 256;

class Describer {
  const WaitOnPath &W;
  const Pending &Before;
  Finding &F;
  const Project &P;
  const LinkedSite &S;
  const Waits Wait;

public:
  Describer(const WaitOnPath &W, const Pending &Before, Finding &F)
      : W(W), Before(Before), F(F), P(W.T.project()), S(W.site()),
        Wait(W.call().Effects.Wait) {}

  bool run() {
    if (!choose())
      return false;
    if (F.DrainedBy)
      F.Notes.push_back({F.DrainedBy->Model->Location,
                         "nothing has been queued since this call waited"});
    if (Before.Last && Before.Last != &W.step() && !S.Launches)
      F.Notes.push_back(
          {Before.Last->Location, "this work may still run then"});
    if (const Step *Next = F.Replacement.empty() ? nullptr : nextWait())
      F.Replacement += ". The call at " + fileAndLine(Next->Location) +
                       " waits next, with nothing queued in between: time is "
                       "gained only without both";
    F.Notes.insert(F.Notes.begin(), F.Conditions.begin(), F.Conditions.end());
    return true;
  }

private:
  /// The call that waits next on every path, if the wait holds up no work until
  /// then; or null.
  const Step *nextWait() const {
    if (F.DrainedBy || Wait != Waits::Yes || S.Launches)
      return nullptr;
    const Step *Next =
        following(W.T, W.At, W.Loop, [&](const Step &Other, bool) {
          return leavesWork(Other) || Other.Class == Step::Unknown ||
                 (Other.Call && Other.Call->waits() &&
                  W.T.isGuardIn(W.step().Guard, Other.Guard));
        });
    return Next && Next->Call && Next->Call->waits() && Next != &W.step() &&
                   !Next->Call->Linked->Launches
               ? Next
               : nullptr;
  }

  bool choose() {
    const CallClass Kind = S.kind();
    if (Kind == CallClass::Alloc || Kind == CallClass::Free || makesObject())
      return memory();
    if (S.Row && S.Row->Library == "libtorch")
      return torch();
    if (S.Row && S.Row->Library == "thrust")
      return thrust();
    if (Kind == CallClass::Sync || Kind == CallClass::Query)
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
        F.Conditions.empty() ? "" : F.Conditions.front().Description;
    switch (F.HowOften) {
    case Frequency::Sometimes:
      return "in some iterations " + Loop + " (" + If + ")";
    case Frequency::SomeRuns:
      return "in each iteration " + Loop + " " + If;
    default:
      return "in each iteration " + Loop;
    }
  }

  std::string waits(StringRef For = "") const {
    StringRef What = "the work queued before it";
    if (W.call().Effects.Target == WaitsFor::Device)
      What = "all work on the device";
    else if (W.call().Effects.Target == WaitsFor::Event)
      What = "the work before the event";
    return S.Model->Callee +
           (Wait == Waits::Yes ? " waits for " : " may wait for ") +
           (For.empty() ? What : For).str() + " " + often();
  }

  std::string because() const {
    const std::string &Reason = W.call().Effects.Reason;
    return Reason.empty()         ? ""
           : Wait == Waits::Maybe ? ": " + Reason
                                  : ", because " + Reason;
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
    if (S.cudaRow() == "cudaMallocAsync")
      return describeTrimmedPool(W, F);
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
    const StringRef Name = S.cudaRow();
    if (Name == "thrust::device_vector::operator[]" ||
        Name.starts_with("thrust::device_reference::"))
      return report("thrust-element-access",
                    waits() + ": it copies one element");
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
    if (!Policy)
      return false;
    const StringRef Text =
        Policy->Definition.empty() ? Policy->Text : Policy->Definition;
    return Text.contains("par(") || Text.contains("par_nosync(");
  }

  /// A result that a library returns to the host.
  bool result() {
    if (steersOrShows())
      return true;
    const bool IsSparse = S.Row && S.Row->Library == "cusparse";
    // Without a buffer, it only asks for the size.
    if (IsSparse && llvm::any_of(S.Model->Args, [&](const Arg &A) {
          return W.T.resolve(W.step().Frame, A.Val).Mask == Null;
        }))
      return false;
    return report(IsSparse ? "library-sparse-host-scalar"
                           : "library-blas-host-scalar",
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

  /// Whether a copy moves at most a small struct.
  bool isValue(const Step &Copy) const {
    std::optional<int64_t> Bytes;
    for (unsigned I : sizeArguments(Copy.Call->Linked->cudaRow())) {
      const Arg *Size = argument(*Copy.Call->Linked, I);
      if (!Size || Size->Number.Class != Term::Constant)
        return false;
      Bytes = Bytes.value_or(1) * Size->Number.Number;
    }
    return Bytes && *Bytes <= LargestValue;
  }

  //===-- Where a value goes ----------------------------------------------===//

  /// The call whose data the wait completes, if it is a value.
  const LinkedSite *source() const {
    if (S.kind() != CallClass::Sync)
      return &S;
    for (size_t I = W.At; I-- > W.loop().Begin;) {
      const Step &Earlier = W.T.Steps[I];
      if (!Earlier.Call)
        continue;
      if (Earlier.Call->Linked->kind() != CallClass::Copy ||
          catalogue::settled(Earlier.Call->Known)[Fact::Direction] != DtoH)
        return nullptr;
      return isValue(Earlier) ? Earlier.Call->Linked : nullptr;
    }
    return nullptr;
  }

  bool isInLoop(const Destination &D) const {
    for (size_t I = 0; I < W.T.Frames.size(); ++I) {
      const Frame &Other = W.T.Frames[I];
      if (Other.Function != D.Function)
        continue;
      if (int(I) == W.loop().Frame
              ? isScopeIn(W.T.functionOf(I), D.Model->Scope, W.loop().Scope)
              : Other.Loop >= 0 && W.T.isLoopIn(Other.Loop, W.Loop))
        return true;
    }
    return llvm::any_of(W.T.Helpers, [&](const auto &Helper) {
      return W.T.isLoopIn(Helper.first, W.Loop) &&
             (Helper.second == D.Function ||
              P.calls(Helper.second, D.Function));
    });
  }

  /// Whether the use is in a function from the loop down to the wait.
  /// Elsewhere, what a field holds has seldom come straight from the wait.
  bool isOnPath(const Destination &D) const {
    for (int F = W.step().Frame; F >= 0; F = W.T.Frames[F].Parent) {
      if (W.T.Frames[F].Function == D.Function)
        return true;
      if (F == W.loop().Frame)
        break;
    }
    return false;
  }

  /// Whether a branch leaves, or queues work on the GPU.
  bool decides(const Destination &D) const {
    const LinkedFunction &By = P.functions()[D.Function];
    for (unsigned I = 0; I < By.Model->Scopes.size(); ++I) {
      const Scope &Branch = By.Model->Scopes[I];
      if (!Branch.Decided.Line || Branch.Class != Scope::Condition ||
          Branch.Decided.File != D.Model->Location.File ||
          Branch.Decided.Offset != D.Model->Location.Offset)
        continue;
      if (Branch.Ends != Scope::Stays)
        return true;
      for (unsigned Site : By.Sites)
        if (P.sites()[Site].QueuesWork &&
            isScopeIn(*By.Model, P.sites()[Site].Model->Scope, I))
          return true;
      for (unsigned C = 0; C < By.Callees.size(); ++C)
        if (isScopeIn(*By.Model, By.Model->Calls[C].Scope, I) &&
            llvm::any_of(By.Callees[C], [&](unsigned Callee) {
              return P.functions()[Callee].Effects.Queues;
            }))
          return true;
    }
    return false;
  }

  StringRef whatItSteers(const Destination &D) const {
    switch (D.Model->Class) {
    case Use::LoopCondition:
      return "decides whether a loop continues";
    case Use::Configures:
      return "decides the size of a launch";
    case Use::Branch:
      return decides(D) ? "decides what runs next" : "";
    default:
      return "";
    }
  }

  /// The condition under which a value is shown although it is read back
  /// without it, or null.
  const Scope *ownCondition(const Destination &D) const {
    const Function &In = *P.functions()[D.Function].Model;
    for (int I = D.Model->Scope; I >= 0; I = In.Scopes[I].Parent) {
      const Scope &Around = In.Scopes[I];
      bool IsShared = Around.Class == Scope::Loop;
      for (int G = W.step().Guard; G >= 0; G = W.T.Guards[G].Parent)
        IsShared |= W.T.Guards[G].Branch == &Around;
      const bool Holds =
          D.Function == S.Function && isScopeIn(In, S.Model->Scope, I);
      if (!IsShared && !Holds)
        return &Around;
    }
    return nullptr;
  }

  bool steersOrShows() {
    const LinkedSite *Source = source();
    if (!Source)
      return false;
    const Destination *Shown = nullptr;
    bool Feeds = false, OnlyShown = true, AlwaysShown = false;
    const std::vector<Destination> All = P.destinations(*Source);
    for (const Destination &D : All) {
      // What is computed from one field and stored in another is another value.
      if (D.Fields > 1 || !isInLoop(D))
        continue;
      if (const StringRef Steered = whatItSteers(D);
          !Steered.empty() && (!D.Fields || isOnPath(D)))
        return steers(Steered, D);
      const bool IsShown =
          D.Model->Class == Use::Printed || D.Model->Class == Use::Logged;
      Feeds |= D.Model->Class == Use::Feeds;
      OnlyShown &= IsShown;
      if (IsShown && (!Shown || !ownCondition(D)))
        Shown = &D;
      AlwaysShown |= IsShown && !ownCondition(D);
    }
    if (!Shown || Feeds)
      return false;
    F.Notes.push_back(
        {Shown->Model->Location, Shown->Model->Class == Use::Logged
                                     ? "it is logged here"
                                     : "it is printed here"});
    const std::string How =
        (Shown->Model->Class == Use::Logged ? "logged by " : "printed by ") +
        Shown->Model->SinkName;
    if (Shown->Fields)
      F.Certainty = std::min(F.Certainty, Confidence::Medium);
    if (AlwaysShown) {
      const std::string OnDevice = W.call().Effects.Replacement.str();
      const bool HasMemory =
          S.kind() == CallClass::Copy || S.kind() == CallClass::Sync;
      F.Replacement =
          std::string("print every N iterations, or ") +
          (HasMemory || OnDevice.empty() ? "" : "use " + OnDevice + ", ") +
          "copy the value to pinned memory asynchronously and print it a few "
          "iterations later, when an event after the copy has completed";
      return report("readback-printed", waits() + ", and its result is " + How);
    }
    if (!OnlyShown || (F.Use.Location.Line && !isUnder(*ownCondition(*Shown))))
      return false;
    F.Replacement = "read the value back under the same condition";
    return report("readback-discarded-log", waits() +
                                                ", and its result is only " +
                                                How + " under a condition");
  }

  bool isUnder(const Scope &Condition) const {
    return F.Use.Location.File == Condition.Location.File &&
           F.Use.Location.Offset >= Condition.Location.Offset &&
           F.Use.Location.Offset <= Condition.End;
  }

  bool steers(StringRef Steered, const Destination &D) {
    F.Notes.push_back({D.Model->Location, "the value is used here"});
    if (D.Fields)
      F.Certainty = std::min(F.Certainty, Confidence::Medium);
    F.Replacement =
        D.Model->Class == Use::Configures
            ? "keep the value on the GPU and let the kernels that use it read "
              "it there"
            : "test every N iterations, if up to N-1 more iterations may run "
              "before the result takes effect, or keep the test on the GPU (a "
              "conditional graph node, or a kernel that skips its work)";
    return report("readback-steers-control",
                  waits() + ", and its result " + Steered.str());
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
                        fileAndLine(F.DrainedBy->Model->Location));
    }
    if (F.DrainedBy) {
      adviseWait(W, Before, F);
      return report("sync-repeated",
                    waits() +
                        " and changes nothing: nothing has been queued "
                        "since " +
                        F.DrainedBy->Model->Callee + " at " +
                        fileAndLine(F.DrainedBy->Model->Location) +
                        " waited for the same work");
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
    return report(S.kind() == CallClass::Query ? "host-poll-loop"
                                               : "sync-in-loop",
                  waits());
  }

  /// Whether it waits for an event that an earlier iteration recorded: it
  /// bounds how far the host runs ahead.
  bool isOfEarlierIteration() const {
    const Arg *Event = argument(S, 0);
    if (W.call().Effects.Target != WaitsFor::Event || !Event)
      return false;
    for (size_t I = W.loop().Begin; I < W.At; ++I) {
      const Step &Earlier = W.T.Steps[I];
      if (!Earlier.Call ||
          !Earlier.Call->Linked->cudaRow().contains("EventRecord"))
        continue;
      const Arg *Recorded = argument(*Earlier.Call->Linked, 0);
      if (Recorded &&
          (Recorded->Text == Event->Text || Earlier.Frame != W.step().Frame))
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
