// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Ranks.h"

#include "analysis/common/Statistics.h"
#include "report/Format.h"
#include "report/recording/Sentences.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <map>
#include <set>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

/// "3, 17, 18"; the first few of many.
std::string missingRanks(const std::map<int64_t, std::string> &Seen,
                         int64_t Ranks) {
  constexpr size_t Limit = 8;
  std::vector<std::string> Missing;
  for (int64_t Rank = 0; Rank < Ranks && Missing.size() <= Limit; ++Rank)
    if (!Seen.count(Rank))
      Missing.push_back(Missing.size() < Limit ? std::to_string(Rank)
                                               : "and others");
  return llvm::join(Missing, ", ");
}

/// Why the recordings may be from different runs, as the first part of a
/// sentence; "": they have the numbers of one run's ranks.
std::string differentRuns(llvm::ArrayRef<RankSummary> All) {
  size_t Numbered = 0;
  std::set<int64_t> Sizes;
  for (const RankSummary &S : All) {
    Numbered += bool(S.Info.Rank);
    if (S.Info.Rank && S.Info.Ranks)
      Sizes.insert(*S.Info.Ranks);
  }
  if (All.size() < 2)
    return "";
  if (!Numbered)
    return "None of these recordings has a rank number";
  if (Numbered < All.size())
    return "Only " + std::to_string(Numbered) + " of these " +
           std::to_string(All.size()) + " recordings " +
           (Numbered == 1 ? "has" : "have") + " a rank number";
  if (Sizes.size() > 1)
    return "Some of these recordings are from a run with " +
           std::to_string(*Sizes.begin()) + " ranks, others from one with " +
           std::to_string(*Sizes.rbegin());
  return "";
}

} // namespace

std::string report::rankName(const RankSummary &S) {
  if (S.Info.Rank)
    return std::to_string(*S.Info.Rank);
  return llvm::sys::path::filename(S.Path).str();
}

std::vector<std::string> report::rankDoubts(llvm::ArrayRef<RankSummary> All) {
  std::vector<std::string> Lines;
  const std::string Different = differentRuns(All);
  if (!Different.empty())
    Lines.push_back(Different +
                    ", so they may be from different runs. To compare runs "
                    "before and after a change, use 'autoprof diff BASE NEW'.");
  std::map<int64_t, std::string> Seen;
  int64_t Expected = 0;
  for (const RankSummary &S : All) {
    if (!S.Info.Rank)
      continue;
    auto [It, IsNew] = Seen.try_emplace(*S.Info.Rank, S.Path);
    if (!IsNew)
      Lines.push_back("Both " + It->second + " and " + S.Path +
                      " are from rank " + rankName(S) +
                      ": are they from the same run?");
    Expected = std::max(Expected, S.Info.Ranks.value_or(0));
  }
  // Ranks are missing only from a run that is known.
  if (Different.empty() && !Seen.empty() && Expected > int64_t(Seen.size()))
    Lines.push_back("The run had " + std::to_string(Expected) +
                    " ranks; this report has " + std::to_string(Seen.size()) +
                    ". Missing: " + missingRanks(Seen, Expected) + ".");
  return Lines;
}

namespace {

bool inSteps(const Ranks &R) {
  return llvm::all_of(R.All,
                      [](const RankSummary &S) { return bool(S.InSteps); });
}

/// "2 x NVIDIA H200".
std::string devices(const RankSummary &S) {
  if (S.Devices.empty())
    return "-";
  std::string Name = S.Devices[0].empty() ? "GPU" : S.Devices[0];
  return S.Devices.size() == 1 ? Name
                               : fmt::format("{} x {}", S.Devices.size(), Name);
}

std::string meanOfSteps(const RankSummary &S, int64_t Sum) {
  return duration(Sum / std::max<int64_t>(1, S.InSteps->Count));
}

/// Into Ranks::All: all if they are few; if many, those that stand out or are
/// the slowest most often.
std::vector<size_t> shownRanks(const Ranks &R, bool All) {
  constexpr size_t Few = 16, Most = 8;
  std::vector<size_t> Shown;
  if (All || R.All.size() <= Few) {
    for (size_t I = 0; I < R.All.size(); ++I)
      Shown.push_back(I);
    return Shown;
  }
  auto Add = [&](size_t Rank) {
    if (Shown.size() < Most && !llvm::is_contained(Shown, Rank))
      Shown.push_back(Rank);
  };
  for (const Outlier &O : R.Outliers)
    Add(O.Rank);
  std::vector<size_t> BySlowness;
  for (size_t I = 0; I < R.All.size(); ++I)
    BySlowness.push_back(I);
  llvm::stable_sort(BySlowness, [&R](size_t A, size_t B) {
    return R.SlowestIn[A] > R.SlowestIn[B];
  });
  for (size_t Rank : BySlowness)
    Add(Rank);
  llvm::sort(Shown);
  return Shown;
}

/// What the rank waits for others in collectives; null: not known, or not per
/// step.
const CollectiveWait *collectiveWait(const Ranks &R, const RankSummary &S) {
  if (!R.Jointly || !R.Jointly->PerStep)
    return nullptr;
  for (const CollectiveWait &Wait : R.Jointly->Waits)
    if (Wait.Rank == S.Info.Rank)
      return &Wait;
  return nullptr;
}

/// By step where every rank has steps, else of the whole run.
Table rankTable(const Ranks &R, llvm::ArrayRef<size_t> Shown) {
  const bool ShowsCollectives = inSteps(R) && hasCollectiveWaits(R);
  std::vector<Table::Column> Columns{
      {"rank", true},
      {"host", true},
      // There is no room for all columns.
      {"GPU", true, /*CutEnd=*/false, /*IsWide=*/ShowsCollectives}};
  if (inSteps(R))
    Columns.insert(Columns.end(), {{"steps"},
                                   {"median"},
                                   {"p95"},
                                   {"wait/step"},
                                   {"exposed/step"},
                                   {"GPU busy"}});
  else
    Columns.insert(Columns.end(), {{"time"}, {"waited"}});
  if (ShowsCollectives)
    Columns.push_back({"NCCL wait"});
  if (inSteps(R))
    Columns.push_back({"slowest in"});
  Table T(std::move(Columns));
  for (size_t I : Shown) {
    const RankSummary &S = R.All[I];
    std::vector<std::string> Cells{
        rankName(S), S.Info.Host.empty() ? "-" : S.Info.Host, devices(S)};
    if (inSteps(R)) {
      const RankSums &Subject = *S.InSteps;
      Cells.insert(Cells.end(),
                   {count(Subject.Count), duration(S.Steps.Median),
                    duration(S.Steps.P95), meanOfSteps(S, Subject.Waited),
                    meanOfSteps(S, Subject.Exposed),
                    percent(double(Subject.Busy), double(Subject.Span))});
      if (ShowsCollectives) {
        const CollectiveWait *Wait = collectiveWait(R, S);
        Cells.push_back(Wait ? duration(Wait->Time) : "-");
      }
      Cells.push_back(percent(double(R.SlowestIn[I]), double(R.Steps.size())));
    } else {
      Cells.insert(Cells.end(), {duration(S.Wall), duration(S.Waited)});
    }
    T.addRow(std::move(Cells));
  }
  return T;
}

/// What the column "NCCL wait" means; "": there is none.
std::string collectivesSentence(const Ranks &R) {
  return inSteps(R) && hasCollectiveWaits(R)
             ? "NCCL wait: time per step in which a GPU only waits in "
               "NCCL's collectives until the last rank has reached them. The "
               "slow rank is the one that others wait for; the GPU counts as "
               "busy meanwhile."
             : "";
}

/// "992 more are like these; --all lists them."; "" when all are shown.
std::string restSentence(const Ranks &R, size_t Shown) {
  if (Shown == R.All.size())
    return "";
  std::vector<int64_t> Times;
  for (const RankSummary &S : R.All)
    Times.push_back(S.Steps.Median);
  std::string Selection =
      R.Outliers.empty()
          ? "The ranks shown are the slowest most often"
          : "The ranks shown deviate or are the slowest most often";
  return fmt::format("{}; {} more are not shown (--all lists them). The median "
                     "rank's step takes {}.",
                     Selection, count(R.All.size() - Shown),
                     duration(median(std::move(Times))));
}

/// "Rank 17 (node2): a step takes 1.52 ms; median of the ranks 1.02 ms (robust
/// z 12.3)." Ranks of one host with the same difference are in one sentence.
std::vector<std::string> outlierSentences(const Ranks &R) {
  constexpr size_t Most = 8;
  constexpr llvm::StringLiteral Phrases[] = {"time per step", "wait per step",
                                             "exposed stall per step",
                                             "GPU busy per step"};
  llvm::MapVector<std::pair<llvm::StringRef, unsigned>,
                  std::vector<const Outlier *>>
      ByHost;
  for (const Outlier &O : R.Outliers) {
    const RankSummary &S = R.All[O.Rank];
    // Without a host, each rank is a group of its own.
    llvm::StringRef Host = S.Info.Host.empty() ? S.Path : S.Info.Host;
    ByHost[{Host, unsigned(O.Kind) * 2 + (O.Z > 0)}].push_back(&O);
  }
  std::vector<std::string> Lines;
  const auto Groups = ByHost.takeVector();
  for (const auto &[Key, Alike] : llvm::ArrayRef(Groups).take_front(Most)) {
    const Outlier &O = *Alike[0];
    const RankSummary &S = R.All[O.Rank];
    std::string Name = "Rank " + rankName(S);
    if (Alike.size() > 1)
      Name = fmt::format("{} ranks of {}, most notably {}", Alike.size(),
                         S.Info.Host, rankName(S));
    else if (!S.Info.Host.empty())
      Name += " (" + S.Info.Host + ")";
    Lines.push_back(
        fmt::format("{}: {} {}; median of the ranks {} (robust z {:.1f}).",
                    Name, Phrases[unsigned(O.Kind)].str(), duration(O.Value),
                    duration(O.Median), O.Z));
  }
  if (ByHost.size() > Most)
    Lines.push_back(
        fmt::format("--format=json has {} more.", count(ByHost.size() - Most)));
  return Lines;
}

/// Those that waited on some rank, then the others.
Section siteSection(const Ranks &R) {
  Section Result;
  Result.Heading = "Sites, whole run, summed over the ranks";
  Result.Id = "sites";
  Table T({{"site", true},
           {"ranks"},
           {"count"},
           {"wait"},
           {"exposed"},
           {"least wait"},
           {"most wait"},
           {"of rank", true}});
  for (const bool AreWaiting : {true, false}) {
    for (const RankSite &S : R.Sites)
      if ((S.Waits > 0) == AreWaiting)
        T.addRow(
            {placeAndCall(S.Place, S.Call), count(S.Ranks), count(S.Count),
             duration(S.Wait), duration(S.Exposed), duration(S.LeastWait),
             duration(S.MostWait),
             S.MostWait.value_or(0) ? rankName(R.All[S.MostWaiting]) : "-"});
    if (AreWaiting)
      T.Limit = T.size();
  }
  T.Others = "more never waited";
  if (!T.Limit)
    Result.say("No call waited for the GPU.");
  return Result.add(std::move(T));
}

/// What the job gains; empty if the ranks could not be replayed together.
Section jobSection(const Ranks &R) {
  Section S;
  S.Heading = "Gains of the job";
  S.Id = "gains";
  if (!R.Jointly || !R.Jointly->Obstacle.empty())
    return S;
  return S.add(togetherTable(*R.Jointly)).say(togetherSentence(*R.Jointly));
}

/// The slowest rank and by how much the others wait for it, in one sentence.
std::string stepSentence(const Ranks &R) {
  if (R.Steps.empty())
    return "The ranks' steps cannot be compared: the ranks have no steps in "
           "common (select them with --step).";
  size_t Worst = std::max_element(R.SlowestIn.begin(), R.SlowestIn.end()) -
                 R.SlowestIn.begin();
  return fmt::format(
      "Of {} steps ({}, steps {} to {}), rank {} is the slowest in {} ({}). "
      "Per "
      "step, the slowest rank takes {} more than the median rank (median).",
      count(R.Steps.size()), R.All[0].Steps.Source, R.Steps.front().Number,
      R.Steps.back().Number, rankName(R.All[Worst]), count(R.SlowestIn[Worst]),
      percent(double(R.SlowestIn[Worst]), double(R.Steps.size())),
      percent(R.lag(), 1));
}

/// That these may be unrelated, for which another command is right: it comes
/// before everything else. "": they are ranks.
std::string hint(const Ranks &R) {
  return differentRuns(R.All).empty() ? "" : rankDoubts(R.All).front();
}

/// What many ranks lack is stated once.
std::vector<std::string> lacks(const Ranks &R, llvm::ArrayRef<Unreadable> Bad) {
  std::vector<std::string> Lines;
  for (const Unreadable &U : Bad)
    Lines.push_back("Skipped: " + U.Error + ".");
  llvm::append_range(
      Lines, llvm::drop_begin(rankDoubts(R.All), hint(R).empty() ? 0 : 1));
  if (R.Jointly && !R.Jointly->Obstacle.empty())
    Lines.push_back("The ranks were not replayed together, so it is not known "
                    "what a change saves the job: " +
                    R.Jointly->Obstacle + ".");
  llvm::MapVector<llvm::StringRef, std::vector<size_t>> Affected;
  for (size_t I = 0; I < R.All.size(); ++I)
    for (const std::string &Line : R.All[I].Caveats)
      Affected[Line].push_back(I);
  for (const auto &[Line, Ranks] : Affected)
    Lines.push_back(
        Ranks.size() == 1
            ? fmt::format("Rank {}: {}", rankName(R.All[Ranks[0]]), Line.str())
            : fmt::format("{} ranks (first {}): {}", count(Ranks.size()),
                          rankName(R.All[Ranks[0]]), Line.str()));
  return Lines;
}

/// Whether the files are known to be the ranks of one run, or look like it.
bool areOneRun(const Ranks &R) {
  const std::string &Command = R.All[0].Info.CommandLine;
  return differentRuns(R.All).empty() ||
         (!Command.empty() && llvm::all_of(R.All, [&](const RankSummary &S) {
           return S.Info.CommandLine == Command;
         }));
}

std::string title(const Ranks &R) {
  if (!areOneRun(R))
    return fmt::format("{} recordings", R.All.size());
  return fmt::format(
      "{} {} of {}", R.All.size(), R.All.size() == 1 ? "rank" : "ranks",
      R.All[0].Info.CommandLine.empty() ? "one run"
                                        : R.All[0].Info.CommandLine);
}

Section rankSection(const Ranks &R, bool All) {
  Section S;
  S.Heading = "Ranks";
  S.Id = "ranks";
  const std::vector<size_t> Shown = shownRanks(R, All);
  S.add(rankTable(R, Shown));
  for (std::string Line :
       {restSentence(R, Shown.size()), stepSentence(R), collectivesSentence(R)})
    S.say(std::move(Line));
  return S;
}

Section outlierSection(const Ranks &R) {
  Section S;
  S.Heading = "Ranks that deviate";
  S.Id = "deviate";
  List L;
  for (std::string Line : outlierSentences(R))
    L.Items.push_back(std::move(Line));
  return S.add(std::move(L));
}

} // namespace

RunSummary report::summarise(const Input &Subject) {
  RunSummary S = analysis::summarise(Subject.Path, Subject.T, Subject.R);
  S.Caveats = caveats(Subject);
  return S;
}

RankSummary report::summariseRank(const Input &Subject) {
  return analysis::summariseRank(Subject.Path, Subject.T, Subject.R,
                                 caveats(Subject));
}

Document report::ranksDocument(const RanksInput &About,
                               const TextStyle &Style) {
  const Ranks &R = About.R;
  Document D;
  D.Title = "autoprof: " + title(R);
  D.Origin = title(R);
  D.Answer.say(hint(R), Paragraph::Warning)
      .say(cutRanksWarning(R), Paragraph::Warning)
      .say(ranksAnswer(R), Paragraph::Answer)
      .say(slowRankSentence(R))
      .say("Run 'autoprof report FILE' for advice on one rank's waits.",
           Paragraph::Note);
  D.Sections = {rankSection(R, Style.All), outlierSection(R), siteSection(R),
                jobSection(R)};
  D.LimitsHeading = "Limitations of these recordings";
  D.Limits = lacks(R, About.Bad);
  return D;
}
