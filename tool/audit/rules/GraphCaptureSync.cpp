// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-graph-capture-sync: a call that waits while a stream is captured.
// What is captured does not run, so that there is nothing to wait for, and the
// capture ends with an error.
#include "audit/Neighbors.h"
#include "audit/rules/Common.h"

namespace autoprof::audit {

using llvm::StringRef;

namespace {

class Capture {
  const Project &P;
  const LinkedSite &Begin;
  std::vector<Finding> &Out;

public:
  Capture(const Project &P, const LinkedSite &Begin, std::vector<Finding> &Out)
      : P(P), Begin(Begin), Out(Out) {}

  void check() {
    Neighbors(P, Begin.Function).after(Begin, [this](const Moment &M) {
      if (M.What == Moment::Edge ||
          (M.Its && StringRef(M.Its->Its->Row).contains("EndCapture")))
        return false;
      if (M.Its)
        checkSite(*M.Its, {});
      else if (M.Callee >= 0)
        checkCall(M.Callee, {{M.At, "calls " + M.Name.str()}});
      return true;
    });
  }

private:
  void checkSite(const LinkedSite &S, std::vector<PathStep> Path) {
    if (S.Does.Wait != catalogue::Waits::Yes || S.OnErrorPath)
      return;
    Path.insert(Path.begin(), {Begin.Its->At, "the capture begins here"});
    Finding F = findingAt(P, S, P.hot(S));
    F.Message = S.Its->Callee + " waits for " + whatIsWaitedFor(S) +
                " while a stream is captured, which is not allowed and ends "
                "the capture with an error";
    F.Path = std::move(Path);
    F.Replacement = "wait before the capture begins or after it ends";
    Out.push_back(std::move(F));
  }

  /// What a called function surely does: under no condition.
  void checkCall(unsigned Callee, const std::vector<PathStep> &Path) {
    if (Path.size() > 8)
      return;
    const LinkedFunction &F = P.functions()[Callee];
    for (unsigned I : F.Sites)
      if (P.sites()[I].Its->Scope < 0)
        checkSite(P.sites()[I], Path);
    for (unsigned C = 0; C < F.Callees.size(); ++C) {
      const Call &Made = F.Its->Calls[C];
      if (F.Callees[C].size() != 1 || Made.Perhaps || Made.Scope >= 0)
        continue;
      std::vector<PathStep> Longer = Path;
      Longer.push_back({Made.At, "calls " + Made.Name});
      checkCall(F.Callees[C].front(), Longer);
    }
  }
};

} // namespace

void checkGraphCaptureSync(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites())
    if (StringRef(S.Its->Row).contains("BeginCapture"))
      Capture(P, S, Out).check();
}

} // namespace autoprof::audit
