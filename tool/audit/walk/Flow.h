// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is before and after a call that waits, in the iterations of its loops.
#pragma once

#include "audit/Finding.h"
#include "audit/walk/Trace.h"

namespace autoprof::audit {

/// What a call may wait for when it is reached.
struct Pending {
  bool Work = false;   ///< Work that the trace queues may run.
  bool Unseen = false; ///< So may work of code that is not visible.
  /// So may what most often has ended: a copy that waits unless it is on the
  /// device, work under a condition that turns itself off or in a helper that
  /// waits otherwise, that of a function that was not read, and what precedes
  /// such a function or the release of memory.
  bool Doubtful = false;
  bool Waited = false; ///< On each path a call has waited for all other work.
  const Step *Last = nullptr; ///< The last of that work; null: there is none.
  /// If neither: the call that has waited for it on each path; null: several.
  const Step *Done = nullptr;
  /// A synchronization right before it that waits for the same work: it gains
  /// nothing to remove that one alone. Null: there is none.
  const Step *Redundant = nullptr;

  bool isNothing() const { return !Work && !Unseen && !Doubtful; }
  /// Whether there is hardly anything: unseen code seldom queues work behind a
  /// wait.
  bool isUnlikely() const { return !Work && (!Unseen || Waited); }
};
Pending pendingAt(const Trace &T, size_t Wait);

/// The steps after one in the iterations of a loop, in order, until `Stop`
/// returns true; returns that step, or null. `IsNext`: it is in the loop's next
/// iteration. Branches that exclude the step's own are left out.
const Step *following(Search &&From, int Loop,
                      llvm::function_ref<bool(const Step &, bool IsNext)> Stop);

/// The work that may be pending when the call waits, the latest first, as far
/// as the iterations of its innermost loop show.
std::vector<const Step *> pendingWork(const Trace &T, size_t Wait);

/// The condition under which there is anything to wait for, if the call does
/// not stand under it, and waits in the same iteration complete the rest; or
/// -1. Only conditions of functions that the path is in are looked at. `Before`
/// is what is pending.
int guardOfPending(const Trace &T, size_t Wait, const Pending &Before);

/// The streams of that work.
std::vector<StreamId> awaitedStreams(const Trace &T, size_t Wait);

/// Whether a call waits for all work on the stream that is queued before a
/// step.
bool waitsForAll(const Trace &T, size_t Wait, size_t Before,
                 const StreamId &On);

/// The copy, or the wait for an event, that follows an explicit wait on every
/// path and waits for the same work, without need of the wait in between: it
/// gains nothing to remove that one alone.
const Step *supersededBy(const Trace &T, size_t Wait);

/// Whether a wait stays if the one before it goes: it brings data, or is for
/// the time of an event.
bool isNeededItself(const PathSite &S);

/// Where the host next changes memory that a copy reads, or that work before an
/// explicit wait reads or shares with it; or null.
const Step *nextChange(const Trace &T, size_t Wait, int Loop);

/// Where the host first uses what the call completes, seen from a loop.
FirstUse firstUse(const Trace &T, size_t Wait, int Loop);

/// Whether work that is complete on `Done` includes what is on `Wanted`.
bool covers(const StreamId &Done, const StreamId &Wanted);
/// Whether the two may be one stream, as far as their names show.
bool mayBeSame(const StreamId &A, const StreamId &B);
/// Whether a call on this stream waits for all others: nothing makes one that
/// the legacy default stream does not wait for.
bool isWholeDevice(const Trace &T, const StreamId &Stream);

} // namespace autoprof::audit
