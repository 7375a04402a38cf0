// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one recording per side shows with certainty: what the program does, not
// how long it takes.
#pragma once

#include "analysis/common/Names.h"
#include "analysis/comparison/Diff.h"

namespace autoprof::analysis {

enum class FactKind : uint8_t {
  Gone,          ///< A site that waited no longer runs.
  Added,         ///< A site that waits did not run before.
  GoneNear,      ///< One that did not wait no longer runs, in Added's file.
  AddedNear,     ///< One that does not wait did not run before, in Gone's file.
  NoLongerWaits, ///< It runs on both sides, and waited on the base's.
  NowWaits,      ///< It runs on both sides, and waits on the new one's.
  CallsPerStep,  ///< It runs more or less often in a step.
  Pinned,        ///< It copies the same, but the host's memory is pinned now.
  Unpinned,      ///< The reverse.
  LeadKept,      ///< The GPU has work queued when a step ends; it had none.
  LeadDrained,   ///< The reverse.
  CommandLine,   ///< The programs were started with other arguments.
  Environment    ///< Or with another value of a variable.
};
inline llvm::StringRef name(FactKind K) {
  return nth(K, {"gone", "added", "gone_near", "added_near", "no_longer_waits",
                 "now_waits", "calls_per_step", "pinned", "unpinned",
                 "lead_kept", "lead_drained", "command_line", "environment"});
}

/// Whether a fact of this kind has calls per step.
constexpr bool countsCalls(FactKind K) {
  return K == FactKind::CallsPerStep || K == FactKind::GoneNear ||
         K == FactKind::AddedNear;
}

struct Fact {
  FactKind Kind;
  const SiteChange *Site = nullptr; ///< In the difference, or null.
  double Base = 0, New = 0;         ///< Per step, if countsCalls(Kind);
                                    ///< Pinned, Unpinned: ns on the GPU per
                                    ///< step.
  /// CommandLine: the words that differ, with the one before them.
  /// Environment: the variable with its value; empty: not set.
  std::string BaseText{}, NewText{};
};

/// How the programs were started; then in the order of the difference's sites;
/// leads last.
std::vector<Fact> findFacts(const Difference &D);

} // namespace autoprof::analysis
