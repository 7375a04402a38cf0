// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Limits.h"

#include "analysis/common/Statistics.h"
#include "report/Format.h"
#include "report/JsonFields.h"
#include "report/recording/CallName.h"
#include "report/recording/Tables.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
namespace json = llvm::json;
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

StringRef replacement(Obstacle O, bool IsPyTorch) {
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

struct Question {
  StringRef Name;
  StepRange Step;
  StringRef Low, High; ///< What the bounds assume.
};

std::vector<Question> questions(const Input &Subject) {
  std::vector<Question> Result;
  auto Add = [&](StringRef Name, const Gain &G, StringRef Assumes) {
    Result.push_back({Name, {G.Low, G.High}, Assumes, Assumes});
  };
  if (const auto &L = Subject.R.Limits) {
    Add("no_launch_cost", L->FreeLaunches, "calls that launch take no time");
    Add("infinite_cpu", L->InfiniteCpu,
        "the CPU takes no time except for waits");
    Add("hidden_copies", L->HiddenCopies,
        "copies take no time, as if all of them overlapped kernels");
  }
  if (const auto &C = Subject.R.AsGraph) {
    constexpr StringRef Low = "the host's work between steps overlaps the "
                              "GPU's work; nodes follow each other immediately",
                        High = "the GPU's work and the host's between steps "
                               "follow each other where a step waits";
    Result.push_back({"capture", C->Whole, Low, High});
    if (C->Part)
      Result.push_back({"capture_part", *C->Part, Low, High});
  }
  return Result;
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

void report::writeLimits(json::OStream &J, const Input &Subject) {
  if (Subject.R.Steps.times().empty())
    return;
  const int64_t Now = median(Subject.R.Steps.times());
  const auto Count = int64_t(Subject.R.Steps.measured());
  for (const Question &Q : questions(Subject))
    J.object([&] {
      J.attribute("question", Q.Name);
      J.attributeArray("sites", [] {});
      J.attribute("gain_low_ns",
                  std::max<int64_t>(0, Now - Q.Step.High) * Count);
      J.attribute("gain_high_ns",
                  std::max<int64_t>(0, Now - Q.Step.Low) * Count);
      J.attribute("beyond_low_ns", 0);
      J.attribute("beyond_high_ns", 0);
      J.attribute("operator_cpu_low_ns", 0);
      J.attribute("operator_cpu_high_ns", 0);
      J.attribute("step_low_ns", Q.Step.Low);
      J.attribute("step_high_ns", Q.Step.High);
      for (const char *Key :
           {"unrecorded_low_ns", "unrecorded_middle_ns", "unrecorded_high_ns",
            "unrecorded_step_gain_low_ns", "unrecorded_step_gain_middle_ns",
            "unrecorded_step_gain_high_ns", "alone_low_ns", "alone_high_ns"})
        J.attribute(Key, nullptr);
      J.attribute("low_assumes", Q.Low);
      J.attribute("high_assumes", Q.High);
    });
}

void report::writeBlockers(json::OStream &J, const Input &Subject) {
  const std::optional<Capture> &C = Subject.R.AsGraph;
  if (!C)
    return J.attribute("capture_blockers", nullptr);
  J.attributeArray("capture_blockers", [&] {
    for (const CaptureBlocker &B : C->Blockers)
      J.object([&] {
        sitePlace(J, siteAt(Subject.T, B.Site));
        text(J, "call",
             B.Call == trace::None ? "" : Subject.T.Strings[B.Call].str());
        J.attribute("count", int64_t(B.Count));
        J.attribute("why", analysis::name(B.Why));
        J.attribute("replacement", replacement(B.Why, C->IsPyTorch));
      });
  });
}
