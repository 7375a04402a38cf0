// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The neighbors of a call
// -----------------------
// A rule asks "what is the first thing after this wait that is more than an
// error check?" The answer may differ from path to path, so the rule gets one
// for each, and reports a finding only if all of them agree. Paths on which the
// function gives up after an error do not count. A called function is a single
// moment, with the summary of its effects; the search does not leave the
// function it began in: there it ends with a moment of class Edge.
#ifndef AUTOPROF_AUDIT_NEIGHBORS_H
#define AUTOPROF_AUDIT_NEIGHBORS_H

#include "audit/Link.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace autoprof::audit {

struct Moment {
  enum Kind {
    Site,     ///< A call of the catalogue.
    Call,     ///< A call of a function; Effects: the most that it may do.
    HostData, ///< A variable that a copy or kernel uses is read or written.
    Clock,
    Edge ///< The function's entry or end.
  };
  Kind Class = Edge;
  Place Location;
  const LinkedSite *Linked = nullptr; ///< For Site.
  Summary Effects;                    ///< For Call.
  llvm::StringRef Name;               ///< For Call: "Trainer::step".
  const audit::Call *Made = nullptr;  ///< For Call of a user's function.
  int Callee = -1; ///< For Call: the only function that it may call, or -1.
  bool Uncertain = false; ///< For Call: the function may not be called.
  bool Virtual = false;   ///< For Call: an overrider may be called instead.
  bool Writes = false;    ///< For HostData: the host writes the variable.
  int Cell = -1; ///< For HostData; for Call: it is passed to that function.

  bool isSite(llvm::StringRef Row) const {
    return Linked && Linked->cudaRow() == Row;
  }
};

/// The control flow of one function. Keeps a reference to the project.
class Neighbors {
public:
  using Passes = llvm::function_ref<bool(const Moment &)>;

  Neighbors(const Project &P, unsigned Function);

  /// The first moments after a site that `MayPass` rejects, one for each path.
  /// In the order of the search; each place only once.
  std::vector<Moment> following(const LinkedSite &S, Passes MayPass) const;
  /// The same, backwards.
  std::vector<Moment> preceding(const LinkedSite &S, Passes MayPass) const;
  /// The same before one of the function's calls, by its number.
  std::vector<Moment> precedingCall(unsigned Call, Passes MayPass) const;

  /// The same from the function's entry.
  std::vector<Moment> afterBegin(Passes MayPass) const;
  /// The same from the function's end, backwards.
  std::vector<Moment> beforeEnd(Passes MayPass) const;

private:
  struct Position {
    unsigned Block;
    int Event;
  };
  std::vector<Position> positions(Event::Kind Kind, unsigned Index) const;
  std::vector<Position> positions(const LinkedSite &S) const;
  Moment momentOf(const Event &E) const;
  bool isOnErrorPath(const Event &E) const;
  std::vector<Moment> search(std::vector<Position> Worklist, bool Forward,
                             Passes MayPass) const;

  const Project &P;
  const LinkedFunction &F;
  std::vector<std::vector<unsigned>> Previous;
};

/// Whether it is cudaGetLastError, cudaPeekAtLastError, or a helper around
/// them.
bool asksForErrors(const Moment &M);

/// Whether it is host code or an error check: it queues no GPU work, waits for
/// none, and reads neither a clock nor data of the GPU.
bool isQuiet(const Moment &M);

/// Whether it reads a clock or an event time, and does nothing else with the
/// GPU.
bool isClock(const Moment &M);

/// Whether it destroys, frees or unmaps something that running work may still
/// use.
bool givesUpObject(const Moment &M);

/// Whether another thread, process or API continues from here, and may use
/// results of the GPU; nothing else is done with the GPU.
bool handsOver(const Moment &M);

/// Whether it surely queues nothing on the GPU; it may wait.
bool queuesNothing(const Moment &M);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_NEIGHBORS_H
