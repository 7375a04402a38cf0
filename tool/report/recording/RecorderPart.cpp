// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/RecorderPart.h"

#include "report/Format.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

std::string factorText(const RecorderEffect &E) {
  const auto Factor = [&E](int64_t Unrecorded) {
    return fmt::format("{:.2f}", double(*E.RecordedStep) / double(Unrecorded));
  };
  const std::string Low = Factor(E.High), High = Factor(std::max(E.Low, 1L));
  const bool IsRange = E.Source != RecorderSource::Steps && Low != High;
  return fmt::format("recorded steps take {} times as long as unrecorded ones",
                     IsRange ? Low + " to " + High
                             : fmt::format("{:.2f}", *E.factor()));
}

/// How the estimate was made, and how far to trust it.
std::string estimated(const Input &Subject, llvm::StringRef Source) {
  const RecorderEffect &E = Subject.R.Recorder;
  const bool IsGpuBound =
      Subject.R.InSteps && Subject.R.InSteps->Limit == Regime::GpuBound;
  return fmt::format("({} compared with {}, by a replay{}). Recording adds {} "
                     "per launch ({})",
                     duration(*E.RecordedStep), durations(E.Low, E.High),
                     IsGpuBound ? "" : "; the factor is often higher",
                     durations(E.Cost.Least.Launch, E.Cost.Most.Launch),
                     Source.str());
}

/// Where the time of an unrecorded step comes from.
std::string basis(const Input &Subject) {
  const RecorderEffect &E = Subject.R.Recorder;
  const std::string Recorded = duration(*E.RecordedStep);
  switch (E.Source) {
  case RecorderSource::Unknown:
    break;
  case RecorderSource::Steps:
    return fmt::format(
        "({} compared with {} in the same process: steps {} to {} ran before "
        "CUPTI recorded anything{})",
        Recorded, duration(*E.UnrecordedStep), E.FirstUnrecorded,
        E.FirstUnrecorded + E.UnrecordedSteps - 1,
        // CUPTI is told about these before CUDA can be used.
        Subject.R.Graphs.Whole ? " except launches of CUDA graphs" : "");
  case RecorderSource::Calibration:
    return estimated(Subject, "measured on the machine of the recording");
  case RecorderSource::BuiltIn:
    return estimated(Subject, "built-in figure of an H200");
  }
  return "";
}

} // namespace

void report::addRecorder(Lines &Output, const Input &Subject) {
  const RecorderEffect &E = Subject.R.Recorder;
  if (!Subject.T.Info.Source.Producer.empty() ||
      Subject.T.Info.Mode != "full" || !E.RecordedStep)
    return;
  if (!E.factor())
    Output.push_back(
        {"recorder", "the overhead of recording is unknown: " + E.Why});
  else
    Output.push_back(
        {"recorder", fmt::format("{} {}", factorText(E), basis(Subject))});
}
