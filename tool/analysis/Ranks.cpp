// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Ranks.h"

#include "analysis/Statistics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

/// From this step (counted from 0) on up to the one of `End`, all ranks count.
std::pair<size_t, size_t> commonSteps(llvm::ArrayRef<RunSummary> All) {
  size_t First = 0, End = All.empty() ? 0 : SIZE_MAX;
  for (const RunSummary &S : All) {
    if (!areAlike(All[0].R.Steps, S.R.Steps))
      return {0, 0};
    First = std::max(First, S.R.Steps.WarmUp);
    End = std::min(End, S.R.Steps.List.size());
  }
  return {First, End};
}

RankStep compareStep(llvm::ArrayRef<RunSummary> All, size_t I) {
  std::vector<int64_t> Times;
  for (const RunSummary &S : All)
    Times.push_back(S.R.Steps.List[I].Time);
  auto [Fastest, Slowest] = std::minmax_element(Times.begin(), Times.end());
  return {I + 1, size_t(Slowest - Times.begin()), *Slowest, median(Times),
          *Fastest};
}

/// Unknown once, unknown for good.
void add(std::optional<int64_t> &Sum, const std::optional<int64_t> &More,
         bool IsFirst) {
  if (IsFirst)
    Sum = More;
  else if (Sum)
    Sum = More ? std::optional(*Sum + *More) : std::nullopt;
}

void add(RankSite &To, const SiteRow &Row, size_t Rank) {
  bool IsFirst = !To.Ranks++;
  To.Count += Row.Count;
  To.Waits += Row.Waits;
  add(To.Wait, Row.Wait, IsFirst);
  add(To.Exposed, Row.Exposed, IsFirst);
  if (IsFirst)
    To.Gained = Row.Gained;
  else if (To.Gained && Row.Gained)
    To.Gained = Gain{To.Gained->Low + Row.Gained->Low,
                     To.Gained->High + Row.Gained->High};
  else
    To.Gained.reset();
  int64_t Wait = Row.Wait.value_or(0);
  if (IsFirst || Wait > *To.MostWait) {
    To.MostWait = Wait;
    To.MostWaiting = Rank;
  }
  To.LeastWait = IsFirst ? Wait : std::min(*To.LeastWait, Wait);
}

/// What stays the same in every process of a program.
std::string keyOf(const trace::Site &Place, const SiteRow &Row) {
  if (Place.Id)
    return "id " + std::to_string(Place.Id);
  return Place.File + ":" + std::to_string(Place.Line) + " " + Row.Call;
}

std::vector<RankSite> sumSites(llvm::ArrayRef<RunSummary> All) {
  std::vector<RankSite> Sites;
  std::map<std::string, size_t> Index;
  for (size_t Rank = 0; Rank < All.size(); ++Rank)
    for (auto [Row, Place] :
         llvm::zip_equal(All[Rank].R.Sites, All[Rank].Places)) {
      auto [It, IsNew] = Index.try_emplace(keyOf(Place, Row), Sites.size());
      if (IsNew) {
        Sites.emplace_back();
        Sites.back().Place = Place;
        Sites.back().Call = Row.Call;
        Sites.back().Kind = Row.Kind;
      }
      add(Sites[It->second], Row, Rank);
    }
  for (RankSite &S : Sites) {
    if (!S.Wait)
      S.LeastWait = S.MostWait = std::nullopt;
    else if (S.Ranks < All.size())
      S.LeastWait = 0;
  }
  auto Order = [](const RankSite &S) {
    return std::tuple(-S.Exposed.value_or(0), -S.Wait.value_or(0), S.Place.File,
                      S.Place.Line, S.Call);
  };
  llvm::sort(Sites, [Order](const RankSite &A, const RankSite &B) {
    return Order(A) < Order(B);
  });
  return Sites;
}

std::vector<std::string> doubts(llvm::ArrayRef<RunSummary> All) {
  std::vector<std::string> Lines;
  std::map<int64_t, std::string> Seen;
  int64_t Expected = 0;
  for (const RunSummary &S : All) {
    if (!S.Info.Rank)
      continue;
    auto [It, IsNew] = Seen.try_emplace(*S.Info.Rank, S.Path);
    if (!IsNew)
      Lines.push_back("Both " + It->second + " and " + S.Path +
                      " are of rank " + rankName(S) + ": are they of one run?");
    Expected = std::max(Expected, S.Info.Ranks.value_or(0));
  }
  if (!Seen.empty() && Expected > int64_t(Seen.size()))
    Lines.push_back("The run had " + std::to_string(Expected) +
                    " ranks; here are " + std::to_string(Seen.size()) + ".");
  return Lines;
}

} // namespace

std::string analysis::rankName(const RunSummary &S) {
  if (S.Info.Rank)
    return std::to_string(*S.Info.Rank);
  return llvm::sys::path::filename(S.Path).str();
}

double Ranks::lag() const {
  std::vector<int64_t> Millionths;
  for (const RankStep &S : Steps)
    if (S.Median > 0)
      Millionths.push_back(
          int64_t(1e6 * double(S.Time - S.Median) / double(S.Median)));
  return double(median(std::move(Millionths))) / 1e6;
}

Ranks analysis::compareRanks(std::vector<RunSummary> All) {
  auto Order = [](const RunSummary &S) {
    return std::pair(S.Info.Rank.value_or(INT64_MAX), S.Path);
  };
  llvm::sort(All, [Order](const RunSummary &A, const RunSummary &B) {
    return Order(A) < Order(B);
  });
  Ranks Result;
  Result.SlowestIn.resize(All.size());
  auto [First, End] = commonSteps(All);
  for (size_t I = First; I < End; ++I) {
    Result.Steps.push_back(compareStep(All, I));
    ++Result.SlowestIn[Result.Steps.back().Slowest];
  }
  Result.Sites = sumSites(All);
  Result.Doubts = doubts(All);
  Result.All = std::move(All);
  return Result;
}
