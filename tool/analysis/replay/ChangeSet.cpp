// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/replay/ChangeSet.h"

#include "analysis/common/Sorting.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace autoprof::analysis;

namespace {

/// What a synchronization does is gone with it, also what it does to a pool. So
/// pools come last: of several changes of one group, the first counts.
template <typename Range, typename Of>
Plan together(const Range &Members, Of ChangesOf) {
  Plan P;
  for (bool OfPools : {false, true})
    for (const auto &Member : Members) {
      const auto [Kind, Changes] = ChangesOf(Member);
      if ((Kind == Remedy::KeepPool) != OfPools)
        continue;
      for (const Change &One : *Changes)
        if (llvm::none_of(P.Changes, [&One](const Change &Other) {
              return Other.Group == One.Group;
            }))
          P.Changes.push_back(One);
    }
  return P;
}

Plan strongOf(llvm::ArrayRef<Candidate> Members) {
  return together(Members, [](const Candidate &One) {
    return std::pair(One.Kind, &One.Strong);
  });
}

/// What all but one gain.
int64_t gainWithout(const JointReplay &Player, std::vector<Candidate> Kept,
                    size_t Index) {
  Kept.erase(Kept.begin() + ptrdiff_t(Index));
  return Player.roughGain(strongOf(Kept));
}

/// Takes back each change that is not missed, the cheapest first.
void giveUp(const JointReplay &Player, std::vector<Candidate> &Kept,
            int64_t Bound, int64_t WorthIt) {
  constexpr int64_t Nearly = 90; // % of the bound.
  sortBy(Kept, &Candidate::Cost);
  int64_t Current = Bound;
  for (size_t I = 0; I < Kept.size() && Kept.size() > 1;) {
    const int64_t Without = gainWithout(Player, Kept, I);
    if (Current - Without < WorthIt && 100 * Without >= Nearly * Bound) {
      Kept.erase(Kept.begin() + ptrdiff_t(I));
      Current = Without;
    } else {
      ++I;
    }
  }
}

/// By what is lost without each, or gained by it alone, whichever is more: of
/// calls that wait in each other's place, all are needed, and none gains alone.
std::vector<SetMember> share(const JointReplay &Player,
                             const std::vector<Candidate> &Kept) {
  if (Kept.size() == 1)
    return {{Kept.front(), 1, false}};
  const int64_t All = Player.roughGain(strongOf(Kept));
  std::vector<SetMember> Members;
  double Sum = 0;
  for (size_t I = 0; I < Kept.size(); ++I) {
    const int64_t Lost = All - gainWithout(Player, Kept, I),
                  Alone = Player.roughGain(strongOf(Kept[I]));
    const auto Weight = double(std::max({Lost, Alone, int64_t(1)}));
    Members.push_back({Kept[I], Weight, 2 * Alone < Lost});
    Sum += Weight;
  }
  for (SetMember &One : Members)
    One.Share /= Sum;
  largestFirst(Members, [](const SetMember &A) {
    return std::pair(A.Share, A.Changed.Cost);
  });
  return Members;
}

} // namespace

Plan ChangeSet::mild() const {
  return together(Members, [](const SetMember &One) {
    return std::pair(One.Changed.Kind, &One.Changed.Mild);
  });
}

Plan ChangeSet::strong() const {
  return together(Members, [](const SetMember &One) {
    return std::pair(One.Changed.Kind, &One.Changed.Strong);
  });
}

ChangeSet autoprof::analysis::findChangeSet(const JointReplay &Player,
                                            std::vector<Candidate> Candidates,
                                            int64_t WorthIt) {
  ChangeSet Set;
  if (Candidates.empty())
    return Set;
  Set.Bound = Player.roughGain(strongOf(Candidates));
  if (Set.Bound < WorthIt)
    return Set;
  giveUp(Player, Candidates, Set.Bound, WorthIt);
  Set.Members = share(Player, Candidates);
  return Set;
}
