// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/walk/Pairs.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

static bool isSamePlace(const PathStep &A, const PathStep &B) {
  return A.Location.File == B.Location.File &&
         A.Location.Offset == B.Location.Offset;
}

/// Whether they are calls of one block, without a launch in between.
static bool areNeighbors(const Pair &A, const Pair &B) {
  const Finding &X = A.Found, &Y = B.Found;
  return X.Loop == Y.Loop && X.Rule == Y.Rule && A.Trace == B.Trace &&
         A.LaunchesBefore == B.LaunchesBefore && !X.Site->Launches &&
         X.Site->Effects.Wait == Y.Site->Effects.Wait &&
         X.Site->Known[catalogue::Fact::Direction] ==
             Y.Site->Known[catalogue::Fact::Direction] &&
         llvm::StringRef(X.Rule) != "autoprof-sync-repeated" &&
         llvm::equal(X.Path, Y.Path, isSamePlace) &&
         llvm::equal(X.Conditions, Y.Conditions, isSamePlace);
}

/// Whether an iteration takes at most one of the paths.
static bool areAlternatives(const Pair &A, const Pair &B) {
  return A.Trace == B.Trace && llvm::any_of(A.Choices, [&](const auto &Choice) {
           const auto It = B.Choices.find(Choice.first);
           return It != B.Choices.end() && It->second != Choice.second;
         });
}

/// Whether the path adds nothing to one to the same call.
static bool addsNothing(const Pair &Known, const Pair &P) {
  return (Known.Found.Level <= Severity::Low &&
          P.Found.Level <= Severity::Low) ||
         (Known.Found.Rule == P.Found.Rule &&
          isSamePlace(Known.Found.Path.back(), P.Found.Path.back()) &&
          areAlternatives(Known, P));
}

namespace {

class Joiner {
  std::vector<Pair> Kept;
  std::vector<unsigned> More; ///< Paths that each stands for.
  /// Where the paths from a loop to a call are in Kept.
  std::map<std::pair<int, const LinkedSite *>, std::vector<size_t>> Known;

public:
  void add(Pair P) {
    if (!Kept.empty() && areNeighbors(Kept.back(), P))
      return join(Kept.back().Found, P.Found);
    std::vector<size_t> &Same = Known[{P.Found.Loop, P.Found.Site}];
    for (size_t I : Same)
      if (addsNothing(Kept[I], P)) {
        ++More[I];
        Kept[I].Found.Level = std::max(Kept[I].Found.Level, P.Found.Level);
        return;
      }
    Same.push_back(Kept.size());
    Kept.push_back(std::move(P));
    More.push_back(0);
  }

  std::vector<Finding> finish() {
    std::vector<Finding> Result;
    for (size_t I = 0; I < Kept.size(); ++I) {
      Finding &F = Kept[I].Found;
      if (More[I])
        F.Notes.push_back(
            {F.Location, "reached by " + std::to_string(More[I]) +
                             (More[I] == 1 ? " more path" : " more paths") +
                             " from this loop"});
      Result.push_back(std::move(F));
    }
    return Result;
  }

private:
  static void join(Finding &Whole, const Finding &F) {
    Whole.Level = std::max(Whole.Level, F.Level);
    Whole.Pending |= F.Pending;
    Whole.Also.push_back(F.Site);
    Whole.Notes.push_back(
        {F.Location, "the same here: " + F.Site->Model->Callee});
  }
};

} // namespace

std::vector<Finding> joined(std::vector<Pair> Pairs) {
  llvm::stable_sort(Pairs, [](const Pair &A, const Pair &B) {
    return std::tie(A.Found.Loop, A.Found.Order) <
           std::tie(B.Found.Loop, B.Found.Order);
  });
  Joiner Result;
  for (Pair &P : Pairs)
    Result.add(std::move(P));
  return Result.finish();
}

void joinPlaces(std::vector<Finding> &Findings, llvm::ArrayRef<Loop> Loops) {
  // What says most about a wait comes first.
  auto RankOf = [&](const Finding &F) {
    return std::tuple(-int(F.Level), Loops[F.Loop].Rare, -int(F.HowOften),
                      F.Conditions.size(), F.Loop, F.Path.size());
  };
  auto ShowsMore = [&](const Finding &A, const Finding &B) {
    return RankOf(A) < RankOf(B);
  };
  using Place = std::pair<std::string, unsigned>;
  std::map<std::tuple<Place, Place, std::string>, size_t> Known;
  std::vector<Finding> Result;
  for (Finding &F : Findings) {
    if (F.Loop >= 0) {
      auto [It, New] = Known.try_emplace(
          {Place(F.Decided.File, F.Decided.Line),
           Place(F.Location.File, F.Location.Offset), F.Site->Model->Callee},
          Result.size());
      if (!New) {
        Finding &First = Result[It->second];
        if (ShowsMore(F, First)) {
          F.Elsewhere = std::move(First.Elsewhere);
          std::swap(F, First);
        }
        First.Fails |= F.Fails;
        First.Elsewhere.push_back(std::move(F));
        continue;
      }
    }
    Result.push_back(std::move(F));
  }
  for (Finding &F : Result)
    llvm::stable_sort(F.Elsewhere, ShowsMore);
  Findings = std::move(Result);
}

} // namespace autoprof::audit
