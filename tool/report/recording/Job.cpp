// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Job.h"

#include "analysis/common/Words.h"
#include "report/Format.h"
#include "report/recording/Sentences.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
/// Whether a gain is not known for unrecorded runs.
static bool isRecordedGain(const Together &Job) {
  return llvm::any_of(
      Job.Sites, [](const TogetherSite &S) { return !S.OnAll.Unrecorded; });
}

std::string report::jobGainText(const JointGain &G) {
  return G.Unrecorded
             ? fmt::format("{} ({})",
                           duration(std::max<int64_t>(0, G.Unrecorded->Middle)),
                           gainInterval(G.Unrecorded->Low, G.Unrecorded->High))
             : gainInterval(G.Recorded.Low, G.Recorded.High);
}

const TogetherSite *report::jointAnswer(const Ranks &R, const RankSite &Site) {
  if (!R.Jointly)
    return nullptr;
  for (const TogetherSite &S : R.Jointly->Sites)
    if (S.Call == Site.Call && S.Place.Id == Site.Place.Id &&
        S.Place.File == Site.Place.File && S.Place.Line == Site.Place.Line)
      return &S;
  return nullptr;
}

Table report::togetherTable(const Together &Job) {
  Table T({{"site", true},
           {"ranks"},
           {"gain on all ranks"},
           {"gain on one"},
           {"on rank", true}});
  // Long names are cut, so they consist of what tells them apart.
  for (const TogetherSite &S : Job.Sites)
    T.addRow({S.Place.File.empty() ? S.Call : placeAndCall(S.Place, S.Call),
              count(S.Ranks), jobGainText(S.OnAll),
              S.Ranks == 1 ? "the same" : jobGainText(S.OnOne),
              std::to_string(S.Rank)});
  return T;
}

std::string report::togetherSentence(const Together &Job) {
  if (Job.Sites.empty())
    return "No wait costs a thousandth of the time.";
  return fmt::format(
      "What the job saves{}, of {}, if the wait is removed on all ranks or on "
      "one, in {} run. A collective ends when its last rank has reached it; {} "
      "of each rank were matched by their order.",
      Job.PerStep ? " per step" : "", duration(Job.Whole),
      isRecordedGain(Job) ? "the recorded" : "an unrecorded",
      count(Job.Collectives));
}
