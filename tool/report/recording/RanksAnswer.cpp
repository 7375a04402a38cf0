// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Ranks.h"

#include "analysis/replay/Estimate.h"
#include "report/Format.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

#include <algorithm>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

/// Whether a gain is not known for unrecorded runs.
static bool isRecordedGain(const Together &Job) {
  return llvm::any_of(
      Job.Sites, [](const TogetherSite &S) { return !S.OnAll.Unrecorded; });
}

/// "104 us (98.0 to 110 us)"; of a recorded run only the range.
static std::string jobGainText(const PlanAnswer &G) {
  return G.Unrecorded
             ? fmt::format("{} ({})",
                           duration(std::max<int64_t>(0, G.Unrecorded->Middle)),
                           gainInterval(G.Unrecorded->Low, G.Unrecorded->High))
             : gainInterval(G.Saved.Low, G.Saved.High);
}

/// What was found about that site when the ranks were replayed together; null:
/// nothing.
static const TogetherSite *jointAnswer(const Ranks &R, const RankSite &Site) {
  if (!R.Jointly)
    return nullptr;
  for (const TogetherSite &S : R.Jointly->Sites)
    if (S.Call == Site.Call && S.Place.key() == Site.Place.key())
      return &S;
  return nullptr;
}

bool report::hasCollectiveWaits(const Ranks &R) {
  return R.Jointly && R.Jointly->PerStep && !R.Jointly->Waits.empty();
}

std::string report::slowRankSentence(const Ranks &R) {
  if (!hasCollectiveWaits(R))
    return "";
  const CollectiveWait &Most =
      *std::max_element(R.Jointly->Waits.begin(), R.Jointly->Waits.end(),
                        [](const CollectiveWait &A, const CollectiveWait &B) {
                          return A.Time < B.Time;
                        });
  if (100 * Most.Time < R.Jointly->Whole)
    return "";
  std::string Text = fmt::format(
      "In the recorded run, rank {} waits {} per step in collectives",
      Most.Rank, duration(Most.Time));
  if (100 * Most.LastTime >= 95 * Most.Time)
    return Text + fmt::format(" for rank {}.", Most.Last);
  if (2 * Most.LastTime >= Most.Time)
    return Text + fmt::format(", mostly for rank {}.", Most.Last);
  return Text + fmt::format(", longest for rank {} ({}).", Most.Last,
                            duration(Most.LastTime));
}

std::string report::cutRanksWarning(const Ranks &R) {
  size_t Count = 0;
  const RankSummary *First = nullptr;
  for (const RankSummary &S : R.All)
    if (S.IsCutOff) {
      First = First ? First : &S;
      ++Count;
    }
  if (!Count)
    return "";
  return Count == 1
             ? fmt::format("Warning: the file of rank {} is cut off, and its "
                           "results are of the part that was read.",
                           rankName(*First))
             : fmt::format("Warning: the files of {} ranks (the first is {}) "
                           "are cut off, and their results are of the parts "
                           "that were read.",
                           count(Count), rankName(*First));
}

/// "104 us (98.0 to 110 us) per step".
static std::string jobGainSaid(const Together &Job, const PlanAnswer &G) {
  return jobGainText(G) + (Job.PerStep ? " per step" : "") +
         (G.Unrecorded ? "" : " in the recorded run");
}

/// ": removing it on all ranks saves the job 1.75 ms (...) per step".
static std::string jobSentence(const Ranks &R, const TogetherSite &Job) {
  const std::string Where = Job.Ranks == 1 ? fmt::format("on rank {}", Job.Rank)
                                           : std::string("on all ranks");
  if (Job.OnAll.middle() <= resolution(R.Jointly->Whole))
    return fmt::format(", but removing it {} gains the job nothing measurable",
                       Where);
  return fmt::format(": removing it {} saves the job {}", Where,
                     jobGainSaid(*R.Jointly, Job.OnAll));
}

/// Where all waits together gain more than the best one of them: what that is,
/// and what the best one gains alone. Else "".
static std::string setSentence(const Together &Job) {
  if (!Job.WithoutWaits || Job.Sites.empty() ||
      Job.WithoutWaits->middle() - Job.Sites[0].OnAll.middle() <=
          resolution(Job.Whole))
    return "";
  std::vector<std::string> Others;
  for (const TogetherSite &S : llvm::drop_begin(Job.Sites))
    Others.push_back(placeAndCall(S.Place, S.Call));
  const TogetherSite &Best = Job.Sites[0];
  return fmt::format(
      "Removing all waits on all ranks saves the job {}; {} alone, {}.{}",
      jobGainSaid(Job, *Job.WithoutWaits), placeAndCall(Best.Place, Best.Call),
      jobGainText(Best.OnAll),
      Others.empty() ? ""
                     : " Others that wait: " + llvm::join(Others, ", ") + ".");
}

std::string report::ranksAnswer(const Ranks &R) {
  if (R.Jointly)
    if (std::string Set = setSentence(*R.Jointly); !Set.empty())
      return Set;
  const RankSite *First = nullptr;
  size_t Found = 0;
  for (const RankSite &S : R.Sites)
    if (S.WorthChanging) {
      First = First ? First : &S;
      ++Found;
    }
  if (!First)
    return R.isWorthwhile()
               ? "No recorded wait is worth changing on any rank."
               : "Whether a wait is worth changing is unknown: in what was "
                 "read, none is.";
  std::string Text = fmt::format(
      "{} is worth a change on {} of {} {}",
      placeAndCall(First->Place, First->Call), count(First->WorthChanging),
      count(R.All.size()), R.All.size() == 1 ? "rank" : "ranks");
  if (const TogetherSite *Job = jointAnswer(R, *First))
    Text += jobSentence(R, *Job);
  if (Found > 1)
    Text += fmt::format("; {} more {}", count(Found - 1),
                        Found == 2 ? "site is" : "sites are");
  return Text + ".";
}

Table report::togetherTable(const Together &Job) {
  Table T({{"site", true}, {"ranks"}, {"gain on all ranks"}});
  // Long names are cut, so they consist of what tells them apart.
  for (const TogetherSite &S : Job.Sites)
    T.addRow({S.Place.File.empty() ? S.Call : placeAndCall(S.Place, S.Call),
              count(S.Ranks), jobGainText(S.OnAll)});
  if (Job.WithoutWaits && !T.empty())
    T.addRow({"all waits", "", jobGainText(*Job.WithoutWaits)});
  return T;
}

std::string report::togetherSentence(const Together &Job) {
  if (Job.Sites.empty())
    return "No wait costs a thousandth of the time.";
  return fmt::format(
      "What the job saves{}, of {}, if the wait is removed on all ranks, in {} "
      "run. A collective ends when its last rank has reached it; {} "
      "of each rank were matched by their order.",
      Job.PerStep ? " per step" : "", duration(Job.Whole),
      isRecordedGain(Job) ? "the recorded" : "an unrecorded",
      count(Job.Collectives));
}
