// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Limits.h"

#include "analysis/common/Statistics.h"
#include "report/Format.h"
#include "report/recording/CallName.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
using llvm::StringRef;

namespace {

/// Capturing is mentioned if it saves a tenth of the step.
bool isWorthSaying(const Input &Subject) {
  return Subject.R.AsGraph && 10 * Subject.R.AsGraph->Whole.High <=
                                  9 * median(Subject.R.Steps.times());
}

StringRef reason(Obstacle O) {
  switch (O) {
  case Obstacle::Synchronizes:
    return "synchronizes, which a capture does not allow";
  case Obstacle::Pageable:
    return "copies pageable memory";
  case Obstacle::Allocates:
    return "allocates or frees memory";
  case Obstacle::LegacyStream:
    return "launches into the legacy default stream";
  case Obstacle::OtherThread:
    return "launches from another thread";
  }
  return "";
}

} // namespace

StringRef report::replacement(Obstacle O, bool IsPyTorch) {
  switch (O) {
  case Obstacle::Synchronizes:
    return "wait after the replay, or keep the result on the GPU";
  case Obstacle::Pageable:
    return IsPyTorch ? "copy from pinned memory into a tensor that the graph "
                       "reads, before the replay"
                     : "copy from pinned memory that stays at its address";
  case Obstacle::Allocates:
    return "allocate before the loop, or in stream order (cudaMallocAsync)";
  case Obstacle::LegacyStream:
    return "launch into a stream of your own, or compile with "
           "--default-stream=per-thread";
  case Obstacle::OtherThread:
    return "launch from one thread";
  }
  return "";
}

namespace {

/// A call, or the operator of a framework that makes it.
std::string nameOf(const Input &Subject, const CaptureBlocker &B) {
  if (B.Call == trace::None)
    return "the program";
  if (B.Site != trace::None && Subject.T.Sites[B.Site].isOperator())
    return placeAndCall(Subject.T, B.Site,
                        operatorName(Subject.T.Sites[B.Site].Callee));
  return placeAndCall(Subject.T, B.Site, Subject.T.Strings[B.Call]);
}

std::string blockerText(const Input &Subject, const CaptureBlocker &B) {
  return fmt::format("{} {} ({:.3g} per step): {}", nameOf(Subject, B),
                     reason(B.Why).str(),
                     double(B.Count) / double(Subject.R.Steps.measured()),
                     replacement(B.Why, Subject.R.AsGraph->IsPyTorch).str());
}

std::string captureText(const Input &Subject) {
  const Capture &C = *Subject.R.AsGraph;
  std::string Text =
      fmt::format("a step replayed as one graph would take {} instead of {}",
                  durations(C.Whole.Low, C.Whole.High),
                  duration(median(Subject.R.Steps.times())));
  if (C.Part)
    Text += fmt::format("; with only the longest uninterrupted sequence of "
                        "launches as a graph ({} of {} operations), {}",
                        count(C.PartOps), count(C.Ops),
                        durations(C.Part->Low, C.Part->High));
  if (C.Same < 1)
    Text += fmt::format("; only {} of the steps launch the same work, and a "
                        "graph can replace only these",
                        percent(C.Same, 1.0));
  return Text;
}

} // namespace

void report::addLimits(Lines &Output, const Input &Subject) {
  if (const auto &L = Subject.R.Limits)
    Output.push_back(
        {"step time limits",
         fmt::format(
             "{} if launching cost nothing, {} if the CPU took no time "
             "at all, {} if copies took no time{}",
             durations(L->FreeLaunches.Low, L->FreeLaunches.High),
             durations(L->InfiniteCpu.Low, L->InfiniteCpu.High),
             durations(L->HiddenCopies.Low, L->HiddenCopies.High),
             // Waits outside the steps may move them.
             Subject.R.InSteps && !Subject.R.InSteps->Waited
                 ? ""
                 : fmt::format(", {} without waits",
                               durations(L->NoWaits.Low, L->NoWaits.High)))});
  if (!isWorthSaying(Subject))
    return;
  Output.push_back({"as a CUDA graph", captureText(Subject)});
  constexpr size_t Most = 4;
  std::vector<std::string> InTheWay;
  const std::vector<CaptureBlocker> &All = Subject.R.AsGraph->Blockers;
  for (const CaptureBlocker &B : llvm::ArrayRef(All).take_front(Most))
    InTheWay.push_back(blockerText(Subject, B));
  if (All.size() > Most)
    InTheWay.push_back(fmt::format("{} more", count(All.size() - Most)));
  if (!InTheWay.empty())
    Output.push_back({"obstacles", llvm::join(InTheWay, "; ")});
}
