// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is complete when a call is reached
// ---------------------------------------
// Everything rests on which streams a call covers: one on the legacy stream
// covers all blocking streams and no non-blocking one.
#ifndef AUTOPROF_AUDIT_RULES_COMPLETION_H
#define AUTOPROF_AUDIT_RULES_COMPLETION_H

#include "audit/Neighbors.h"
#include "audit/rules/Streams.h"

namespace autoprof::audit {

/// The streams whose work is complete when a call has returned, or that a call
/// waits for.
struct Covered {
  bool Device = false;
  std::vector<StreamUse> Streams; ///< None, and not Device: not known.
};

/// The control flow of one function. Holds on to the project.
class Completion {
public:
  Completion(const Project &P, unsigned Function) : P(P), Near(P, Function) {}

  /// A call that waited, on every way here, for all that this one waits for,
  /// with nothing queued since, perhaps the last one of a function that was
  /// called; null: there is none.
  const LinkedSite *completedBefore(const LinkedSite &S) const;

  Covered waitedFor(const LinkedSite &S) const;
  bool coversAll(const StreamUse &Done, const Covered &Wanted,
                 unsigned Function) const;

  const Neighbors &neighbors() const { return Near; }

private:
  std::vector<StreamUse> recordedOn(const LinkedSite &S) const;
  bool makesStream(unsigned Function, const StreamUse &Stream) const;
  bool isRecordedLast(const LinkedSite &Wait) const;
  bool completes(const LinkedSite &Done, const Covered &Wanted) const;
  const LinkedSite *completedBy(const Moment &Call, const Covered &Wanted,
                                unsigned Depth) const;

  const Project &P;
  const Neighbors Near;
};

/// An asynchronous copy of pageable memory waits, too, but only until someone
/// pins the memory: that one is not meant.
bool isWaitingCopyToHost(const LinkedSite &S);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_COMPLETION_H
