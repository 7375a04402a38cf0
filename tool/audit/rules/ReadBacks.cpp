// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/rules/Rules.h"

#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::CallClass;
using catalogue::Fact;

/// At most this many bytes are a value; more are data.
static constexpr int64_t LargestValue = 256;

bool isValue(const Step &Copy) {
  std::optional<int64_t> Bytes;
  for (unsigned I : sizeArguments(Copy.Call->Linked->cudaRow())) {
    const Arg *Size = argument(*Copy.Call->Linked, I);
    if (!Size || Size->Number.Class != Term::Constant)
      return false;
    Bytes = Bytes.value_or(1) * Size->Number.Number;
  }
  return Bytes && *Bytes <= LargestValue;
}

namespace {

class Follower {
  const WaitOnPath &W;
  Finding &F;
  const Project &P;
  const LinkedSite &S;

public:
  Follower(const WaitOnPath &W, Finding &F)
      : W(W), F(F), P(W.T.project()), S(W.site()) {}

  std::optional<ReadBack> run() {
    const LinkedSite *Source = source();
    if (!Source)
      return std::nullopt;
    const Destination *Shown = nullptr;
    // What is computed from one field and stored in another is another value.
    std::vector<Destination> All = P.destinations(*Source);
    llvm::erase_if(All, [this](const Destination &D) {
      return D.Fields > 1 || !isInLoop(D);
    });
    const bool Feeds = llvm::any_of(
        All, [](const Destination &D) { return D.Model->Class == Use::Feeds; });
    for (const Destination &D : All) {
      if (const StringRef Steered = whatItSteers(D);
          !Steered.empty() && (!D.Fields || isOnPath(D)))
        return steers(Steered, D, Feeds);
      if ((D.Model->Class == Use::Printed || D.Model->Class == Use::Logged) &&
          !hasOwnCondition(D))
        Shown = &D;
    }
    if (!Shown || Feeds)
      return std::nullopt;
    F.Notes.push_back(
        {Shown->Model->Location, Shown->Model->Class == Use::Logged
                                     ? "it is logged here"
                                     : "it is printed here"});
    const std::string How =
        (Shown->Model->Class == Use::Logged ? "logged by " : "printed by ") +
        Shown->Model->SinkName;
    if (Shown->Fields)
      F.Certainty = std::min(F.Certainty, Confidence::Medium);
    const std::string OnDevice = W.call().Effects.Replacement.str();
    const bool HasMemory =
        S.kind() == CallClass::Copy || S.kind() == CallClass::Sync;
    F.Replacement =
        std::string("print every N iterations, or ") +
        (HasMemory || OnDevice.empty() ? "" : "use " + OnDevice + ", ") +
        "copy the value to pinned memory asynchronously and print it a few "
        "iterations later, when an event after the copy has completed";
    return ReadBack{"readback-printed", ", and its result is " + How};
  }

private:
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

  /// Whether a value is shown under a condition, but read back without it.
  bool hasOwnCondition(const Destination &D) const {
    const Function &In = *P.functions()[D.Function].Model;
    for (int I = D.Model->Scope; I >= 0; I = In.Scopes[I].Parent) {
      const Scope &Around = In.Scopes[I];
      bool IsShared = Around.Class == Scope::Loop;
      for (int G = W.step().Guard; G >= 0; G = W.T.Guards[G].Parent)
        IsShared |= W.T.Guards[G].Branch == &Around;
      const bool Holds =
          D.Function == S.Function && isScopeIn(In, S.Model->Scope, I);
      if (!IsShared && !Holds)
        return true;
    }
    return false;
  }

  /// `Feeds`: the GPU gets the value, too.
  ReadBack steers(StringRef Steered, const Destination &D, bool Feeds) {
    F.Notes.push_back({D.Model->Location, "the value is used here"});
    if (D.Fields)
      F.Certainty = std::min(F.Certainty, Confidence::Medium);
    const bool IsTest = D.Model->Class != Use::Configures;
    const std::string OnGpu =
        " on the GPU (a conditional graph node, or a kernel that skips its "
        "work)";
    if (IsTest && !Feeds)
      F.Replacement = "test every N iterations, if up to N-1 more iterations "
                      "may run before the result takes effect, or keep the "
                      "test" +
                      OnGpu;
    else
      F.Replacement = "keep the value on the GPU and let the kernels that use "
                      "it read it there" +
                      (IsTest ? ", and keep the test" + OnGpu : "");
    return {"readback-steers-control", ", and its result " + Steered.str()};
  }
};

} // namespace

std::optional<ReadBack> readBack(const WaitOnPath &W, Finding &F) {
  return Follower(W, F).run();
}

} // namespace autoprof::audit
