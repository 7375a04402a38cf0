// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The smallest set of changes that brings nearly all that changing waits,
// copies and allocations can bring (docs/model.md, "What to change").
#pragma once

#include "analysis/common/Names.h"
#include "analysis/replay/JointReplay.h"

namespace autoprof::analysis {

/// A kind of change, as engineers make it.
enum class Remedy : uint8_t {
  Wait,     ///< Wait later, elsewhere, or not at all.
  Allocate, ///< Allocate once, outside of the steps.
  KeepPool, ///< A memory pool keeps freed memory: its release threshold.
  Pin       ///< Copy from or to pinned memory, without waiting.
};

inline llvm::StringRef name(Remedy R) {
  return nth(R, {"wait", "allocate", "keep_pool", "pin"});
}

/// Calls that are changed together or not at all.
struct Candidate {
  Remedy Kind = Remedy::Wait;
  std::vector<uint32_t> Rows;      ///< Into Result::Sites.
  uint32_t Transfer = trace::None; ///< Into Result::Transfers, if it is a copy.
  /// The least change: the calls do the same, and the program waits later or
  /// elsewhere. Empty: there is none.
  std::vector<Change> Mild;
  /// The most: what the calls did is not done in each step.
  std::vector<Change> Strong;
  int64_t Cost = 0; ///< ns; those of less are given up first.
};

struct SetMember {
  Candidate Changed;
  double Share = 0; ///< Of what the set gains, 0 to 1.
  /// Whether it gains next to nothing without the others.
  bool NeedsOthers = false;
};

/// The largest share first; empty: nothing is worth a change.
struct ChangeSet {
  std::vector<SetMember> Members;
  /// What all candidates bring together, ns as roughGain.
  int64_t Bound = 0;

  /// All members at once.
  Plan mild() const;
  Plan strong() const;
};

/// `WorthIt`: ns, in the unit of roughGain; what gains less is no change, and a
/// candidate without which less is lost is given up.
ChangeSet findChangeSet(const JointReplay &Player,
                        std::vector<Candidate> Candidates, int64_t WorthIt);

} // namespace autoprof::analysis
