// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/Statistics.h"
#include "analysis/decisions/Decisions.h"
#include "report/JsonFields.h"
#include "report/recording/JsonParts.h"
#include "report/recording/Limits.h"
#include "report/recording/Sentences.h"
#include "report/recording/WhatIfs.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
namespace json = llvm::json;

namespace {

void gainFigures(json::OStream &J, const ExpectedGain &Gain) {
  J.attribute("per_step", Gain.PerStep);
  J.attribute("low_ns", Gain.Saved.Low);
  J.attribute("middle_ns", Gain.Saved.Middle);
  J.attribute("high_ns", Gain.Saved.High);
  J.attribute("whole_ns", Gain.Whole);
}

void writeRow(json::OStream &J, const Input &Subject, const WhatIfRow &Row) {
  const bool IsTransfer = Row.Transfer != trace::None;
  J.attribute("question",
              Row.Rows.empty() && !IsTransfer ? "remove_all" : name(Row.Kind));
  J.attributeArray("sites", [&] {
    if (IsTransfer)
      J.object([&] {
        const TransferRow &Transfer = Subject.R.Transfers[Row.Transfer];
        sitePlace(J, siteAt(Subject.T, Transfer.Site));
        J.attribute("call", json::fixUTF8(Transfer.Call));
      });
    for (uint32_t I : Row.Rows)
      J.object([&] {
        sitePlace(J, siteAt(Subject.T, Subject.R.Sites[I].Site));
        J.attribute("call", json::fixUTF8(Subject.R.Sites[I].Call));
      });
  });
  J.attribute("gain_low_ns", Row.Saved.Low);
  J.attribute("gain_high_ns", Row.Saved.High);
  J.attribute("beyond_low_ns", Row.Beyond.Low);
  J.attribute("beyond_high_ns", Row.Beyond.High);
  J.attribute("operator_cpu_low_ns", Row.Operators.Low);
  J.attribute("operator_cpu_high_ns", Row.Operators.High);
  std::optional<Gain> Step = stepTimeAfter(Subject.R, Row);
  optional(J, "step_low_ns", Step ? std::optional(Step->Low) : std::nullopt);
  optional(J, "step_high_ns", Step ? std::optional(Step->High) : std::nullopt);
  auto Write = [&J](const char *Prefix, const std::optional<Estimate> &E) {
    auto End = [&](const char *Name, int64_t Estimate::*Figure) {
      optional(J, (llvm::Twine(Prefix) + Name).str(),
               E ? std::optional(*E.*Figure) : std::nullopt);
    };
    End("_low_ns", &Estimate::Low);
    End("_middle_ns", &Estimate::Middle);
    End("_high_ns", &Estimate::High);
  };
  Write("unrecorded", Row.Unrecorded);
  Write("unrecorded_step_gain", Row.UnrecordedStep);
  if (const std::optional<ExpectedGain> Gain = expectedGainOf(Subject.R, Row))
    J.attributeObject("expected_gain", [&] { gainFigures(J, *Gain); });
  else
    J.attribute("expected_gain", nullptr);
  optional(J, "alone_low_ns",
           Row.Alone ? std::optional(Row.Alone->Low) : std::nullopt);
  optional(J, "alone_high_ns",
           Row.Alone ? std::optional(Row.Alone->High) : std::nullopt);
  WhatIfBounds B = whatIfBounds(Subject, Row);
  J.attribute("low_assumes", B.Low);
  J.attribute("high_assumes", B.High);
}

/// Of a step, or of the run where there are none.
std::optional<int64_t> gainResolution(const Input &Subject) {
  const Result &R = Subject.R;
  if (!R.WaitsKnown || R.Span <= 0)
    return std::nullopt;
  if (const std::optional<int64_t> Whole =
          R.InSteps ? unrecordedStep(R) : R.WhatIfs.UnrecordedWhole)
    return resolution(*Whole);
  const std::vector<int64_t> Steps = R.Steps.times();
  return resolution(R.InSteps && !Steps.empty() ? median(Steps) : R.Span);
}

struct Question {
  llvm::StringRef Name;
  StepRange Step;
  llvm::StringRef Low, High; ///< What the bounds assume.
};

std::vector<Question> questions(const Input &Subject) {
  std::vector<Question> Result;
  auto Add = [&](llvm::StringRef Name, const Gain &G, llvm::StringRef Assumes) {
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
    constexpr llvm::StringRef
        Low = "the host's work between steps overlaps the "
              "GPU's work; nodes follow each other immediately",
        High = "the GPU's work and the host's between steps "
               "follow each other where a step waits";
    Result.push_back({"capture", C->Whole, Low, High});
    if (C->Part)
      Result.push_back({"capture_part", *C->Part, Low, High});
  }
  return Result;
}

void writeLimits(json::OStream &J, const Input &Subject) {
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

void writeBlockers(json::OStream &J, const Input &Subject) {
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

} // namespace

void report::writeWhatIfs(json::OStream &J, const Input &Subject) {
  optional(J, "gain_resolution_ns", gainResolution(Subject));
  J.attributeArray("what_if", [&] {
    for (const WhatIfRow &Row : Subject.R.WhatIfs.Answers)
      J.object([&] { writeRow(J, Subject, Row); });
    writeLimits(J, Subject);
  });
  writeBlockers(J, Subject);
  J.attributeArray("removal_order", [&] {
    for (const WhatIfRow &Row : Subject.R.WhatIfs.Order)
      J.object([&] { writeRow(J, Subject, Row); });
  });
  const std::optional<StepSample> &Sample = Subject.R.WhatIfs.Sampled;
  if (!Sample) {
    J.attribute("what_if_sample", nullptr);
    return;
  }
  J.attributeObject("what_if_sample", [&] {
    J.attribute("steps", int64_t(Sample->Steps));
    optional(J, "mean_ns",
             Sample->Steps ? std::optional(Sample->Mean) : std::nullopt);
    optional(J, "mean_of_all_ns",
             Sample->Steps ? std::optional(Sample->MeanOfAll) : std::nullopt);
  });
}

void report::expectedGainJson(json::OStream &J, const Input &Subject,
                              const SiteRow &Row) {
  const Promise P = promise(Subject, Row);
  if (!P.Expected)
    return J.attribute("expected_gain", nullptr);
  const ExpectedGain &Gain = *P.Expected;
  J.attributeObject("expected_gain", [&] {
    J.attribute("change", analysis::name(P.Change));
    J.attribute("runs", Gain.Recorded ? "recorded" : "unrecorded");
    gainFigures(J, Gain);
    J.attribute("operator_cpu_low_ns", Gain.Operator.Low);
    J.attribute("operator_cpu_high_ns", Gain.Operator.High);
    J.attributeArray("along", [&] {
      for (uint32_t I : Gain.Along)
        J.object([&] {
          const SiteRow &Other = Subject.R.Sites[I];
          sitePlace(J, siteAt(Subject.T, Other.Site));
          J.attribute("call", json::fixUTF8(Other.Call));
        });
    });
  });
}
