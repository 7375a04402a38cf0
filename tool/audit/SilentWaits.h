// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reasons why a call that waits, or may wait, is not a finding.
#ifndef AUTOPROF_AUDIT_SILENTWAITS_H
#define AUTOPROF_AUDIT_SILENTWAITS_H

#include "audit/Link.h"

namespace autoprof::audit {

enum class Silence : uint8_t {
  Accepted,     ///< By the baseline.
  Comment,      ///< A comment silences the finding.
  NotChosen,    ///< --checks or --line-filter leaves the finding out.
  OutsideLoops, ///< Neither the function nor a caller has a loop around it.
  NeverReached, ///< A condition on a parameter is false in every call.
  NotFollowed,  ///< A function object, recursion, or `goto` may repeat it.
  ErrorPath,
  RunsOnce,    ///< Only in the first iteration, or if something is missing.
  LeavesLoop,  ///< The branch ends the loop.
  FewTimes,    ///< The loop has at most four iterations.
  OverDevices, ///< The loop selects the device.
  NoLaunches,  ///< The loop is not known to launch.
  NoRule,      ///< In a launching loop.
  MustStay,    ///< The same, and nothing can replace the wait.
  OtherFinding ///< The finding of another call is about it, too.
};
constexpr unsigned SilenceKinds = unsigned(Silence::OtherFinding) + 1;

/// "outside-loops": as in JSON.
llvm::StringRef name(Silence S);
/// "outside loops": follows a number of calls.
llvm::StringRef describe(Silence S);

/// For a site without a finding, by the surrounding code: OutsideLoops or one
/// of those up to NoRule.
Silence whySilent(const Project &P, const LinkedSite &S);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_SILENTWAITS_H
