// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands next to a call
// --------------------------
// A rule asks "what is the first thing after this wait that is more than an
// error check?" There may be one answer for each way that control can take, so
// it gets all of them, and reports only when all of them say the same. Ways on
// which the function gives up after an error do not count. What a called
// function does is one moment, with that function's summary; the search does
// not leave the function it began in: there it ends with a moment that is
// Edge.
#ifndef AUTOPROF_AUDIT_NEIGHBORS_H
#define AUTOPROF_AUDIT_NEIGHBORS_H

#include "audit/Link.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace autoprof::audit {

struct Moment {
  enum Kind {
    Site,     ///< A call of the catalogue.
    Call,     ///< Of a function; Effects: the most that it does.
    HostData, ///< A variable that a copy or kernel uses is read or written.
    Clock,
    Edge ///< The function's entry or end.
  };
  Kind Class = Edge;
  Place Location;
  const LinkedSite *Linked = nullptr; ///< Of Site.
  Summary Effects;                    ///< Of Call.
  llvm::StringRef Name;               ///< Of Call: "Trainer::step".
  int Callee = -1; ///< Of Call: the function, if it is known and the only one.
  int Cell = -1;   ///< Of HostData.

  bool isSite(llvm::StringRef Row) const {
    return Linked && Linked->cudaRow() == Row;
  }
};

/// The control flow of one function. Holds on to the project.
class Neighbors {
public:
  using Passes = llvm::function_ref<bool(const Moment &)>;

  Neighbors(const Project &P, unsigned Function);

  /// The first moments after a site, one for each way, that `MayPass` does not
  /// let pass. In the order of the search; without repetitions of a place.
  std::vector<Moment> following(const LinkedSite &S, Passes MayPass) const;
  /// The same, against the control flow.
  std::vector<Moment> preceding(const LinkedSite &S, Passes MayPass) const;

  /// The first moments from the function's entry on.
  std::vector<Moment> afterBegin(Passes MayPass) const;
  /// The same from the function's end, against the control flow.
  std::vector<Moment> beforeEnd(Passes MayPass) const;

private:
  struct Position {
    unsigned Block;
    int Event;
  };
  std::vector<Position> positions(const LinkedSite &S) const;
  Moment momentOf(const Event &E) const;
  bool isOnErrorPath(const Event &E) const;
  std::vector<Moment> search(std::vector<Position> Worklist, bool Forward,
                             Passes MayPass) const;

  const Project &P;
  const LinkedFunction &F;
  std::vector<std::vector<unsigned>> Previous;
};

/// cudaGetLastError, cudaPeekAtLastError, or a helper around them.
bool asksForErrors(const Moment &M);

/// Host code and error checks: it queues no GPU work, waits for none, reads no
/// clock and no data of the GPU.
bool isQuiet(const Moment &M);

/// A clock or an event time is read, and nothing else is done with the GPU.
bool isClock(const Moment &M);

/// It destroys, frees or unmaps something that work which runs may still use.
bool givesUpObject(const Moment &M);

/// Another thread, process or API goes on from here, and may use what the GPU
/// has done; nothing else is done with the GPU.
bool handsOver(const Moment &M);

/// It surely queues nothing on the GPU; it may wait.
bool queuesNothing(const Moment &M);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_NEIGHBORS_H
