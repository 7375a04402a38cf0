// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Missing waits
// -------------
// The unsafe rules follow the control flow from work that has been queued, and
// report a use of its memory that every path reaches without a wait. Whatever
// may wait counts as a wait for this work: any call that may wait, even for
// another stream, and any user function that uses CUDA or is not visible.
// Memory that cannot be told apart from other memory (one of several buffers, a
// part of one, a pointer that is reassigned) is ignored.
#ifndef AUTOPROF_AUDIT_RULES_UNSAFE_H
#define AUTOPROF_AUDIT_RULES_UNSAFE_H

#include "audit/Finding.h"
#include "audit/rules/Elsewhere.h"

#include <set>

namespace autoprof::audit {

/// Where control can go from a copy or launch in its function.
class AfterWork {
public:
  AfterWork(const Project &P, const LinkedSite &Work)
      : P(P), F(P.functions()[Work.Function]), Work(Work) {}

  /// The events with this meaning for a cell that no path reaches through a
  /// wait.
  std::vector<const Event *> unawaited(llvm::ArrayRef<Event::Kind> Kinds,
                                       int Cell) const;

  /// Whether another call is reached, and no path to it contains a wait or an
  /// event that a stream waits for.
  bool reaches(const LinkedSite &Other) const;

private:
  struct Position {
    unsigned Block;
    size_t Event;
    bool operator<(const Position &O) const {
      return std::tie(Block, Event) < std::tie(O.Block, O.Event);
    }
  };
  using Positions = std::set<Position>;

  const Event &eventAt(Position Pos) const {
    return F.Model->Blocks[Pos.Block].Events[Pos.Event];
  }
  bool is(const Event &E, const LinkedSite &S) const;
  Positions starts() const;
  bool mayWait(const Event &E) const;
  bool ordersStreams(const Event &E) const;
  bool isSpin(Position Pos) const;
  void reach(Position Start, const LinkedSite *Target, Positions *Waits,
             Positions &Passed) const;
  Positions unawaitedPositions(const LinkedSite *Target) const;

  const Project &P;
  const LinkedFunction &F;
  const LinkedSite &Work;
};

/// A finding at a call, of medium severity and confidence.
Finding findingAt(const LinkedSite &S);

/// Whether it is a copy to the host; whether it is one between host and device.
bool isToHost(const LinkedSite &S);
bool isBetweenHostAndDevice(const LinkedSite &S);

/// `h`, `this->h`, `&h`, `h.data()`, `h.get()`: the whole of one buffer.
bool isWhole(llvm::StringRef Text);

/// Whether a use follows the work only in the next iteration, when the variable
/// may be another one.
bool isOtherVariable(const Project &P, const LinkedSite &Work, int Cell,
                     const Place &Use);

/// A copy to the host on the legacy stream, of memory that a kernel on a
/// non-blocking stream writes.
void findEarlyCopies(const Project &P, std::vector<Finding> &Out);

/// The host reads managed memory that a kernel writes.
void findEarlyManagedReads(const Project &P, std::vector<Finding> &Out);

/// The host writes managed memory that a kernel may still read and write.
void findEarlyManagedWrites(const Project &P, std::vector<Finding> &Out);

/// cudaFree of memory from a pool that a kernel uses: it does not wait.
void findEarlyPoolFrees(const Project &P, std::vector<Finding> &Out);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_UNSAFE_H
