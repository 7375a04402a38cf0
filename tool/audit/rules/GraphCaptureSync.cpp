// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-graph-capture-sync: a call that waits while a stream is captured.
// Captured work does not run, so there is nothing to wait for, and the capture
// fails.
#include "audit/Neighbors.h"
#include "audit/rules/Common.h"

namespace autoprof::audit {

namespace {

class Capture {
  const Project &P;
  const LinkedSite &Begin;
  std::vector<Finding> &Out;

public:
  Capture(const Project &P, const LinkedSite &Begin, std::vector<Finding> &Out)
      : P(P), Begin(Begin), Out(Out) {}

  void check() {
    Neighbors(P, Begin.Function).following(Begin, [this](const Moment &M) {
      if (M.Class == Moment::Edge ||
          (M.Linked && M.Linked->cudaRow().contains("EndCapture")))
        return false;
      if (M.Linked)
        checkSite(*M.Linked, {});
      else if (M.Callee >= 0)
        checkCall(M.Callee, {{M.Location, "calls " + M.Name.str()}});
      return true;
    });
  }

private:
  void checkSite(const LinkedSite &S, std::vector<PathStep> Path) {
    if (S.Effects.Wait != catalogue::Waits::Yes || S.OnErrorPath)
      return;
    Path.insert(Path.begin(),
                {Begin.Model->Location, "the capture begins here"});
    Finding F = findingAt(P, S, P.hot(S));
    F.Message = S.Model->Callee + " waits for " + whatIsWaitedFor(P, S) +
                " while a stream is captured, which is not allowed and makes "
                "the capture fail";
    F.Path = std::move(Path);
    F.Replacement = "wait before the capture begins or after it ends";
    Out.push_back(std::move(F));
  }

  /// Checks what a called function does unconditionally.
  void checkCall(unsigned Callee, const std::vector<PathStep> &Path) {
    if (Path.size() > 8)
      return;
    const LinkedFunction &F = P.functions()[Callee];
    for (unsigned I : F.Sites)
      if (P.sites()[I].Model->Scope < 0)
        checkSite(P.sites()[I], Path);
    for (unsigned C = 0; C < F.Callees.size(); ++C) {
      const Call &Made = F.Model->Calls[C];
      if (F.Callees[C].size() != 1 || Made.Uncertain || Made.Scope >= 0)
        continue;
      std::vector<PathStep> Longer = Path;
      Longer.push_back({Made.Location, "calls " + Made.Name});
      checkCall(F.Callees[C].front(), Longer);
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
