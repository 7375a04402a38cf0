// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reasons why a call that waits, or may wait, is not a finding.
#ifndef AUTOPROF_AUDIT_SILENTWAITS_H
#define AUTOPROF_AUDIT_SILENTWAITS_H

#include "audit/Finding.h"

namespace autoprof::audit {

enum class Silence : uint8_t {
  Accepted,     ///< By the baseline.
  Comment,      ///< A comment silences the finding.
  NotChosen,    ///< --checks leaves the finding out.
  OutsideLoops, ///< On no path is a loop around it that may launch.
  ErrorPath,
  RunsOnce,    ///< Once per run of the program.
  LeavesLoop,  ///< The branch ends the loop, or the loop is over devices.
  NoLaunches,  ///< The loops around it do not launch.
  NoRule,      ///< In a launching loop.
  OtherFinding ///< The finding of another call is about it, too.
};
constexpr unsigned SilenceKinds = unsigned(Silence::OtherFinding) + 1;

/// "outside-loops": as in JSON.
llvm::StringRef name(Silence S);
/// "outside loops": follows a number of calls.
llvm::StringRef describe(Silence S);

/// For a site without a finding, by the surrounding code: OutsideLoops or one
/// of those up to NoRule.
Silence whySilent(const Project &P, const Findings &All, const LinkedSite &S);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_SILENTWAITS_H
