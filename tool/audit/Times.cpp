// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Project: trip counts of loops, how often places are reached, and which loops
// only repeat work to measure it.
#include "audit/Times.h"

#include "audit/Link.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace autoprof::audit {

static constexpr int64_t Limit = 1 << 20; ///< Larger numbers count as unknown.
static constexpr unsigned MaxDepth = 12;  ///< Maximum depth of calls to follow.

std::optional<int64_t> product(std::optional<int64_t> A,
                               std::optional<int64_t> B) {
  if (A == 0 || B == 0)
    return 0;
  if (!A || !B || *A > Limit || *B > Limit)
    return std::nullopt;
  return *A * *B;
}

/// The value of a number; for a parameter, the largest one that any call
/// passes.
std::optional<int64_t> Project::valueOf(unsigned Function, const Number &N,
                                        unsigned Depth) const {
  if (!N.Known)
    return std::nullopt;
  if (N.Param < 0)
    return N.Offset;
  const LinkedFunction &F = Functions[Function];
  if (AddressTaken[Function] || F.Callers.empty() || Depth > MaxDepth)
    return std::nullopt;
  std::optional<int64_t> Most;
  for (const LinkedFunction::Caller &C : F.Callers) {
    const Call &Made = Functions[C.Function].Model->Calls[C.Call];
    if (Made.Uncertain || unsigned(N.Param) >= Made.Arguments.size())
      return std::nullopt;
    const std::optional<int64_t> Passed =
        valueOf(C.Function, Made.Arguments[N.Param], Depth + 1);
    if (!Passed)
      return std::nullopt;
    Most = std::max(Most.value_or(*Passed), *Passed);
  }
  return *Most + N.Offset;
}

std::optional<int64_t> Project::trips(unsigned Function, int Loop) const {
  const Scope &L = Functions[Function].Model->Scopes[Loop];
  if (L.Trips)
    return L.Trips;
  const std::optional<int64_t> Trips = valueOf(Function, L.TripsOfCall, 0);
  return Trips ? std::optional(std::max<int64_t>(*Trips, 0)) : std::nullopt;
}

std::optional<int64_t> Project::times(unsigned Function, int Scope) const {
  return times(Function, Scope, 0);
}

std::optional<int64_t> Project::times(unsigned Function, int Scope,
                                      unsigned Depth) const {
  const LinkedFunction &F = Functions[Function];
  std::optional<int64_t> Inside = 1;
  for (int S = Scope; S >= 0 && Inside; S = F.Model->Scopes[S].Parent)
    if (F.Model->Scopes[S].Class == Scope::Loop)
      Inside = product(Inside, trips(Function, S));
  if (!Inside || F.Model->Name == "main")
    return Inside;
  if (AddressTaken[Function] || F.Callers.empty() || Depth > MaxDepth)
    return std::nullopt;
  int64_t Calls = 0;
  for (const LinkedFunction::Caller &C : F.Callers) {
    const Call &Made = Functions[C.Function].Model->Calls[C.Call];
    const std::optional<int64_t> Reached =
        Made.Uncertain ? std::nullopt
                       : times(C.Function, Made.Scope, Depth + 1);
    if (!Reached)
      return std::nullopt;
    Calls += *Reached;
  }
  return product(Inside, Calls);
}

//===-- Benchmarks --------------------------------------------------------===//

namespace {

/// A clock reading, or queued work, by its position in the text.
struct ClockMark {
  unsigned Offset;
  bool IsClock;
};

} // namespace

static std::optional<bool> isClock(const Project &P, const LinkedFunction &F,
                                   const Event &E) {
  switch (E.Class) {
  case Event::Clock:
    return true;
  case Event::SiteReached: {
    const LinkedSite &S = P.sites()[F.Sites[E.Index]];
    const llvm::StringRef Row = S.cudaRow();
    if (Row.contains("EventRecord") || Row.ends_with("EventElapsedTime"))
      return true;
    return S.QueuesWork ? std::optional(false) : std::nullopt;
  }
  case Event::CallMade: {
    const std::vector<unsigned> &Callees = F.Callees[E.Index];
    auto Does = [&](bool Summary::*Effect) {
      return llvm::any_of(Callees, [&](unsigned Callee) {
        return P.functions()[Callee].Effects.*Effect;
      });
    };
    if (Does(&Summary::Queues))
      return false;
    return Does(&Summary::ReadsClock) ? std::optional(true) : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

bool Project::isBenchmark(unsigned Function, int Loop) const {
  const LinkedFunction &F = Functions[Function];
  const Scope &L = F.Model->Scopes[Loop];
  if (!L.Repeats)
    return false;
  unsigned Begin = 0, End = ~0u; // The extent of the enclosing loop.
  for (int S = L.Parent; S >= 0 && !Begin; S = F.Model->Scopes[S].Parent)
    if (F.Model->Scopes[S].Class == Scope::Loop) {
      Begin = F.Model->Scopes[S].Location.Offset;
      End = F.Model->Scopes[S].End;
    }
  std::optional<ClockMark> Before, After; // The nearest marks.
  for (const Block &B : F.Model->Blocks)
    for (const Event &E : B.Events) {
      const unsigned Offset = E.Location.Offset;
      const std::optional<bool> IsClock = isClock(*this, F, E);
      if (!IsClock || E.Location.File != L.Location.File || Offset < Begin ||
          Offset > End)
        continue;
      if (Offset < L.Location.Offset && (!Before || Offset >= Before->Offset))
        Before = {Offset, *IsClock};
      if (Offset > L.End && (!After || Offset <= After->Offset))
        After = {Offset, *IsClock};
    }
  return Before && Before->IsClock && After && After->IsClock;
}

} // namespace autoprof::audit
