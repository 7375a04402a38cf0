// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/walk/Pairs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <tuple>

using llvm::StringRef;

namespace autoprof::audit {

SharedStep SharedSteps::of(const Call &Made) {
  std::optional<SharedStep> &Result = Known[{&Made, nullptr}];
  if (!Result)
    Result.emplace(Made.Location, "calls " + Made.Name, Made.EndsObject);
  return *Result;
}

SharedStep SharedSteps::of(const Guard &G) {
  std::optional<SharedStep> &Result =
      G.Branch ? Known[{G.Branch, G.isOff() ? G.Branch : nullptr}]
               : Known[{G.Virtual, G.Chosen}];
  if (!Result && G.Branch)
    Result.emplace(G.Branch->Decided.Line ? G.Branch->Decided
                                          : G.Branch->Location,
                   "if " + G.Branch->Text +
                       (G.isOff() ? ", which is false by default" : ""));
  else if (!Result)
    Result.emplace(G.Virtual->Location, "if this calls " + G.Chosen->Name);
  return *Result;
}

static bool isSamePlace(const PathStep &A, const PathStep &B) {
  return A.Location.File == B.Location.File &&
         A.Location.Offset == B.Location.Offset;
}

/// Whether the paths are the same, or end with calls of one helper, which
/// waits.
static bool isSameWay(const Finding &A, const Finding &B) {
  if (llvm::equal(A.Path, B.Path, isSamePlace))
    return true;
  // Two branches of one condition have one place.
  const auto IsSameBranch = [](const PathStep &X, const PathStep &Y) {
    return X.Description == Y.Description;
  };
  return A.Site == B.Site && A.Path.size() == B.Path.size() &&
         std::equal(A.Path.begin(), A.Path.end() - 1, B.Path.begin(),
                    isSamePlace) &&
         llvm::equal(A.Conditions, B.Conditions, IsSameBranch);
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
         isSameWay(X, Y) &&
         llvm::equal(X.Conditions, Y.Conditions, isSamePlace);
}

std::vector<Finding> joined(std::vector<Pair> Pairs) {
  llvm::stable_sort(Pairs, [](const Pair &A, const Pair &B) {
    return std::tie(A.Found.Loop, A.Found.Order) <
           std::tie(B.Found.Loop, B.Found.Order);
  });
  std::vector<Pair> Kept;
  std::map<const LinkedSite *, std::vector<size_t>> BySite; // Of one loop.
  for (Pair &P : Pairs) {
    if (!Kept.empty() && Kept.back().Found.Loop != P.Found.Loop)
      BySite.clear();
    const LinkedSite *Site = P.Found.Site;
    std::vector<size_t> &Same = BySite[Site];
    const auto IsPart = [&](size_t I) { return areNeighbors(Kept[I], P); };
    auto Known = llvm::find_if(Same, IsPart);
    const bool IsLast =
        Known == Same.end() && !Kept.empty() && IsPart(Kept.size() - 1);
    if (Known == Same.end() && !IsLast) {
      Same.push_back(Kept.size());
      Kept.push_back(std::move(P));
      continue;
    }
    Finding &Whole = Kept[IsLast ? Kept.size() - 1 : *Known].Found;
    Whole.Level = std::max(Whole.Level, P.Found.Level);
    Whole.Pending |= P.Found.Pending;
    Whole.Also.push_back(Site);
    Whole.Notes.push_back({llvm::equal(Whole.Path, P.Found.Path, isSamePlace)
                               ? P.Found.Location
                               : P.Found.Path.back()->Location,
                           "the same here: " + Site->Model->Callee});
  }
  std::vector<Finding> Result;
  for (Pair &P : Kept)
    Result.push_back(std::move(P.Found));
  return Result;
}

void joinPlaces(const Project &P, std::vector<Finding> &Findings,
                llvm::ArrayRef<Loop> Loops) {
  // What says most about a wait comes first.
  auto RankOf = [&](const Finding &F) {
    return std::tuple(-int(F.Level), Loops[F.Loop].Rare, -int(F.HowOften),
                      F.Loop, F.Conditions.size(), F.Path.size());
  };
  auto ShowsMore = [&](const Finding &A, const Finding &B) {
    return RankOf(A) < RankOf(B);
  };
  using Place = std::pair<std::string, unsigned>;
  std::map<std::tuple<Place, std::string, size_t>, size_t> Known;
  std::vector<Finding> Result;
  for (Finding &F : Findings) {
    if (F.Loop >= 0) {
      const Function &In = P.functionOf(*F.Site);
      auto [It, New] =
          Known.try_emplace({Place(F.Decided.File, F.Decided.Line),
                             catalogue::withoutTemplateArguments(In.Name),
                             size_t(F.Site->Model - In.Sites.data())},
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
