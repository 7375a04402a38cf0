// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/Statistics.h"
#include "analysis/findings/Scene.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::analysis;

/// Lengths of the pauses before operations that were queued after their
/// predecessor on the same stream.
static std::vector<int64_t> pauses(const Scene &S) {
  std::vector<int64_t> Lengths;
  forEachGapPart(S.R.Devices, S.R.Stalls, S.R.Causes, S.Gpu.Start, S.Gpu.End,
                 [&](const GapPart &P) {
                   if (S.R.Causes.Reasons[P.Reason].Kind == Cause::BackToBack)
                     Lengths.push_back(P.End - P.Start);
                 });
  return Lengths;
}

void autoprof::analysis::findDependentGaps(const Scene &S,
                                           std::vector<Finding> &Found) {
  int64_t Idle = S.idle(Cause::BackToBack);
  if (10 * Idle < S.Span)
    return;
  std::vector<int64_t> Lengths = pauses(S);
  if (Lengths.size() < 10)
    return;
  uint64_t Count = Lengths.size();
  int64_t Median = median(std::move(Lengths));
  Finding F;
  F.Message = fmt::format(
      "The GPU pauses between operations that wait for each other in one "
      "stream and were queued in time: {}, {} each (median), {}.",
      S.perStep(Count, "time", "times"), duration(Median), S.share(Idle));
  F.Advice = "Fuse neighboring kernels, launch them as a CUDA graph, or let "
             "the next kernel start early (programmatic dependent launch).";
  F.Doubt = "Recording lengthens these pauses; they are shorter in an "
            "unrecorded run.";
  F.Evidence = llvm::json::Object{
      {"count", int64_t(Count)}, {"median_ns", Median}, {"idle_ns", Idle}};
  F.Cost = Idle;
  Found.push_back(std::move(F));
}
