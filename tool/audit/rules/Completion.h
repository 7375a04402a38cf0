// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work that is complete when a call is reached
// ------------------------------------------------
// This depends on the streams that a call covers: a wait on the legacy stream
// covers all blocking streams and no non-blocking one.
#ifndef AUTOPROF_AUDIT_RULES_COMPLETION_H
#define AUTOPROF_AUDIT_RULES_COMPLETION_H

#include "audit/Neighbors.h"
#include "audit/rules/Streams.h"

namespace autoprof::audit {

/// The streams whose work is complete after a call, or for which it waits.
struct Covered {
  bool Device = false;
  std::vector<StreamUse> Streams; ///< If empty and not Device: unknown.
};

/// The calls that have completed some work, one for each path; empty if it may
/// be incomplete on one of them.
struct Completers {
  std::vector<const LinkedSite *> Calls; ///< No duplicates.
  /// One of them is in a virtual function that a class may override.
  bool MayDiffer = false;

  bool any() const { return !Calls.empty(); }
  /// The call that always ran; null if the paths have different ones.
  const LinkedSite *only() const {
    return Calls.size() == 1 && !MayDiffer ? Calls.front() : nullptr;
  }
  void add(const Completers &Others);
};

/// The control flow of one function. Keeps a reference to the project.
class Completion {
public:
  Completion(const Project &P, unsigned Function) : P(P), Near(P, Function) {}

  /// The calls that, on every path to here, have waited for everything that
  /// this one waits for, with nothing queued since; possibly the last calls of
  /// a function that was called.
  Completers completedBefore(const LinkedSite &S) const;

  Covered waitedFor(const LinkedSite &S) const;
  bool coversAll(const StreamUse &Done, const Covered &Wanted,
                 unsigned Function) const;

  const Neighbors &neighbors() const { return Near; }

  /// How much is known about the work that may run when the call is reached.
  enum class Seen : uint8_t {
    All,         ///< Since the beginning of main, or a device-wide wait.
    FromCallers, ///< All that is visible; further callers may exist.
    NotAll       ///< Code that is not visible may have queued work.
  };
  Seen workBefore(const LinkedSite &S) const;

private:
  std::vector<StreamUse> recordedOn(const LinkedSite &S) const;
  bool makesStream(unsigned Function, const StreamUse &Stream) const;
  bool isRecordedLast(const LinkedSite &Wait) const;
  bool completes(const LinkedSite &Done, const Covered &Wanted) const;
  Completers completedBy(const Moment &Call, const Covered &Wanted,
                         unsigned Depth) const;

  const Project &P;
  const Neighbors Near;
};

/// Whether an explicit wait has nothing left to wait for because of different
/// calls on different paths: no earlier call always ran that a finding could
/// name, and no other finding is worth it.
bool isDoneInVariousWays(const Project &P, const LinkedSite &S);

/// Whether it is a copy to the host that waits. Excludes asynchronous copies of
/// pageable memory: they wait, too, but only until the memory is pinned.
bool isWaitingCopyToHost(const LinkedSite &S);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_COMPLETION_H
