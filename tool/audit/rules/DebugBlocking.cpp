// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-debug-blocking: a setting that makes every launch wait was left on:
// CUDA_LAUNCH_BLOCKING or HIP_LAUNCH_BLOCKING, or a debug macro that waits
// after launches.
#include "audit/Neighbors.h"
#include "audit/rules/Common.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

static void checkEnvironment(const Project &P, unsigned Function,
                             std::vector<Finding> &Out) {
  const std::string Variable =
      P.isHip(Function) ? "HIP_LAUNCH_BLOCKING" : "CUDA_LAUNCH_BLOCKING";
  for (const Block &B : P.functions()[Function].Model->Blocks)
    for (const Event &E : B.Events) {
      if (E.Class != Event::LaunchBlocking)
        continue;
      Finding Found;
      Found.Location = E.Location;
      Found.Message = Variable + " is set in the program: each launch waits "
                                 "for its kernel";
      Found.Replacement = "set it in the shell when needed";
      Out.push_back(std::move(Found));
    }
}

static bool isAfterLaunch(const Project &P, const LinkedSite &S) {
  const std::vector<Moment> Before =
      Neighbors(P, S.Function).preceding(S, isQuiet);
  return !Before.empty() && llvm::all_of(Before, [](const Moment &M) {
    return M.Linked && M.Linked->Launches;
  });
}

void checkDebugBlocking(const Project &P, std::vector<Finding> &Out) {
  for (unsigned I = 0; I < P.functions().size(); ++I)
    checkEnvironment(P, I, Out);
  for (const LinkedSite &S : P.sites()) {
    if (S.Model->SwitchedOnBy.empty() || !isExplicitWait(S) || S.OnErrorPath ||
        !isAfterLaunch(P, S))
      continue;
    const bool WithoutNdebug = S.Model->SwitchedOnBy == "!NDEBUG";
    Finding F = findingAt(P, S, P.hot(S));
    F.Message = S.Model->Callee + " waits for " + whatIsWaitedFor(P, S) +
                " after a launch, because the macro " + S.Model->WrittenIn +
                (WithoutNdebug ? " is enabled without NDEBUG"
                               : " is enabled by " + S.Model->SwitchedOnBy);
    F.Replacement = WithoutNdebug ? "build with NDEBUG"
                                  : "build without " + S.Model->SwitchedOnBy;
    F.Notes.push_back({S.Model->Written, "the wait is written here"});
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
