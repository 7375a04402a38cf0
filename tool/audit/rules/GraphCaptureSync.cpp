// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-graph-capture-sync: a call that waits while a stream is captured.
// Captured work does not run, so there is nothing to wait for, and the capture
// fails. cudaStreamCaptureModeRelaxed allows calls that are only potentially
// unsafe (cuda_runtime_api.h, cudaThreadExchangeStreamCaptureMode).
#include "audit/rules/Rules.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

using catalogue::CallClass;

/// A capture without a mode, in CUDA 10.0, is a global one. None: not known.
static std::optional<int64_t> modeOf(const LinkedSite &Begin) {
  const std::vector<Arg> &Args = Begin.Model->Args;
  if (Args.size() < 2)
    return 0;
  const Term &Mode = Args.back().Number;
  return Mode.Class == Term::Constant ? std::optional<int64_t>(Mode.Number)
                                      : std::nullopt;
}
constexpr int64_t ThreadLocal = 1; ///< Global is 0, relaxed is 2.

/// Whether the call conflicts with the capture in every mode: it waits for the
/// captured stream, for the device, or for the legacy stream, which would have
/// to wait for the captured one.
static bool alwaysConflicts(const LinkedSite &Begin, const LinkedSite &S) {
  if (S.kind() == CallClass::Sync &&
      S.Effects.Target == catalogue::WaitsFor::Device)
    return true;
  const bool IsOnStream = S.kind() == CallClass::Copy ||
                          S.kind() == CallClass::Set ||
                          (S.kind() == CallClass::Sync &&
                           S.Effects.Target == catalogue::WaitsFor::Stream);
  if (!IsOnStream)
    return false;
  const bool IsSame = S.Function == Begin.Function &&
                      !S.Model->Stream.empty() &&
                      S.Model->Stream == Begin.Model->Stream;
  return IsSame || (S.Stream == catalogue::values::Legacy &&
                    Begin.Stream == uint32_t(catalogue::values::Blocking));
}

/// Whether a condition is around the place that is not around `Outer`, a place
/// of the same function.
static bool isConditional(const Function &F, int Scope, int Outer) {
  for (int S = Scope; S >= 0; S = F.Scopes[S].Parent)
    if (F.Scopes[S].Class != Scope::Loop && !isScopeIn(F, Outer, S))
      return true;
  return false;
}

namespace {

class Capture {
  const Project &P;
  const LinkedSite &Begin;
  std::optional<int64_t> Mode; ///< None: not known.
  std::vector<Finding> &Out;

public:
  Capture(const Project &P, const LinkedSite &Begin, std::vector<Finding> &Out)
      : P(P), Begin(Begin), Mode(modeOf(Begin)), Out(Out) {}

  void check() {
    const LinkedFunction &F = P.functions()[Begin.Function];
    const unsigned Number = Begin.Model - F.Model->Sites.data();
    for (EventRef Reached : eventsOf(*F.Model, Event::SiteReached, Number))
      walkForward(*F.Model, Reached, [&](const Event &E) {
        const bool Conditional =
            isConditional(*F.Model, E.Scope, Begin.Model->Scope);
        if (E.Class == Event::SiteReached) {
          const LinkedSite &S = P.sites()[F.Sites[E.Index]];
          if (S.cudaRow().contains("EndCapture"))
            return false;
          if (S.cudaRow() == "cudaThreadExchangeStreamCaptureMode")
            Mode.reset();
          checkSite(S, {}, Conditional);
        } else if (E.Class == Event::CallMade &&
                   F.Callees[E.Index].size() == 1) {
          checkCall(F.Callees[E.Index].front(),
                    {{E.Location, "calls " + F.Model->Calls[E.Index].Name}},
                    Conditional);
        }
        return true;
      });
  }

private:
  void checkSite(const LinkedSite &S, std::vector<PathStep> Path,
                 bool Conditional) {
    // Allocations are as unsafe as waits (CUDA programming guide, prohibited
    // and unhandled operations).
    const bool Allocates = S.kind() == CallClass::Alloc;
    if ((S.Effects.Wait != catalogue::Waits::Yes && !Allocates) ||
        S.OnErrorPath || isAsynchronous(S))
      return; // Asynchronous copies, sets and frees become nodes of the graph.
    const bool Always = alwaysConflicts(Begin, S);
    if (!Always && (!Mode || *Mode > ThreadLocal))
      return;
    Path.insert(Path.begin(),
                {Begin.Model->Location, "the capture begins here"});
    Finding F = findingAt(S);
    // The program is wrong, unless the condition excludes captures.
    F.Level = Conditional ? Severity::Low : Severity::Medium;
    F.Certainty = Conditional ? Confidence::Medium : Confidence::High;
    F.Message = S.Model->Callee + (Allocates ? " allocates" : " waits") +
                " while a stream is captured: " +
                (Always ? "no capture allows that"
                        : "the capture's mode forbids that") +
                ", so the capture fails";
    F.Path = std::move(Path);
    F.Replacement = S.kind() == CallClass::Sync
                        ? "wait before the capture begins or after it ends"
                        : "call it before the capture begins or after it ends";
    Out.push_back(std::move(F));
  }

  /// Checks what a called function does unconditionally.
  void checkCall(unsigned Callee, const std::vector<PathStep> &Path,
                 bool Conditional) {
    if (Path.size() > 8)
      return;
    const LinkedFunction &F = P.functions()[Callee];
    for (unsigned I : F.Sites)
      if (P.sites()[I].Model->Scope < 0)
        checkSite(P.sites()[I], Path, Conditional);
    for (unsigned C = 0; C < F.Callees.size(); ++C) {
      const Call &Made = F.Model->Calls[C];
      if (F.Callees[C].size() != 1 || Made.Uncertain || Made.Scope >= 0)
        continue;
      std::vector<PathStep> Longer = Path;
      Longer.push_back({Made.Location, "calls " + Made.Name});
      checkCall(F.Callees[C].front(), Longer, Conditional);
    }
  }
};

} // namespace

void checkGraphCaptureSync(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites())
    if (S.cudaRow().contains("BeginCapture"))
      Capture(P, S, Out).check();
}

} // namespace autoprof::audit
