// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schema autoprof-diff/1; docs/json.md describes each key.
#include "report/JsonFields.h"
#include "report/compare/TrialsFile.h"
#include "report/recording/DiffIdle.h"
#include "report/recording/DiffText.h"
#include "report/recording/Formats.h"
#include "report/recording/JsonParts.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
namespace json = llvm::json;

namespace {

void inputs(json::OStream &J, const Difference &D) {
  J.attributeArray("inputs", [&] {
    for (const auto *Side : {&D.Base, &D.New})
      for (const RunSummary &S : *Side)
        J.object([&] {
          input(J, S.Path, S.Info, S.FileBytes, S.R.Measured);
          J.attribute("side", Side == &D.Base ? "base" : "new");
        });
  });
}

void step(json::OStream &J, const Difference &D) {
  if (!D.Step)
    return J.attribute("step", nullptr);
  const StepChange &S = *D.Step;
  // The comparison of the steps of two single runs is not about the program.
  const bool IsTested = S.Basis != StepBasis::OneRun;
  auto Known = [&](auto V) {
    return S.Enough && IsTested ? std::optional(V) : std::nullopt;
  };
  auto Within = [&](auto V) {
    return S.Enough && !S.ofRuns() && !IsTested ? std::optional(V)
                                                : std::nullopt;
  };
  J.attributeObject("step", [&] {
    J.attribute("base_runs", int64_t(S.BaseRuns));
    J.attribute("new_runs", int64_t(S.NewRuns));
    J.attribute("base_count", int64_t(S.BaseCount));
    J.attribute("new_count", int64_t(S.NewCount));
    J.attribute("base_median_ns", S.BaseMedian);
    J.attribute("new_median_ns", S.NewMedian);
    J.attribute("change", S.Change);
    optional(J, "low", Known(S.Range.Low));
    optional(J, "high", Known(S.Range.High));
    optional(J, "p", Known(S.P));
    optional(J, "visible", Known(S.Visible));
    J.attribute("significant", S.Significant);
    J.attribute("basis", name(S.Basis));
    optional(J, "paired", Within(S.Paired));
    optional(J, "runs_vary", S.RunsVary);
    J.attributeObject("within_these_runs", [&] {
      optional(J, "low", Within(S.Range.Low));
      optional(J, "high", Within(S.Range.High));
      optional(J, "p", Within(S.P));
    });
    J.attribute("base_lead_median_ns", S.BaseLead);
    J.attribute("new_lead_median_ns", S.NewLead);
  });
}

void change(json::OStream &J, llvm::StringRef Key,
            const std::optional<MeanChange> &C) {
  if (!C)
    return J.attribute(Key, nullptr);
  J.attributeObject(Key, [&] {
    J.attribute("difference_ns", int64_t(C->Difference));
    J.attribute("low_ns", int64_t(C->Range.Low));
    J.attribute("high_ns", int64_t(C->Range.High));
    J.attribute("p", C->P);
    J.attribute("visible_ns", int64_t(C->Visible));
  });
}

llvm::StringRef name(Presence P) {
  constexpr llvm::StringLiteral Names[] = {"ran", "not_run", "not_reached"};
  return Names[unsigned(P)];
}

void site(json::OStream &J, const Difference &D, const SiteChange &C) {
  auto Side = [&](llvm::StringRef Key, const SiteRow *R,
                  const std::optional<int64_t> &Wait,
                  const std::optional<int64_t> &Exposed) {
    auto PerStep = [&](const std::optional<int64_t> &Ns) {
      return D.PerStep ? Ns : std::nullopt;
    };
    if (!R)
      return J.attribute(Key, nullptr);
    J.attributeObject(Key, [&] {
      J.attribute("count", R->Count);
      optional(J, "wait_ns", R->Wait);
      optional(J, "exposed_ns", R->Exposed);
      optional(J, "wait_per_step_ns", PerStep(Wait));
      optional(J, "exposed_per_step_ns", PerStep(Exposed));
      optional(J, "lead_median_ns", R->LeadMedian);
    });
  };
  J.object([&] {
    sitePlace(J, &C.place());
    J.attribute("call", json::fixUTF8(C.row().Call));
    J.attribute("in_base", name(C.InBase));
    J.attribute("in_new", name(C.InNew));
    text(J, "guess", C.Guess);
    J.attributeObject("new_place",
                      [&] { sitePlace(J, C.New ? C.NewPlace : nullptr); });
    Side("base", C.Base, C.BaseWait, C.BaseExposed);
    Side("new", C.New, C.NewWait, C.NewExposed);
    change(J, "wait_change", C.Wait);
    change(J, "exposed_change", C.Exposed);
  });
}

void facts(json::OStream &J, const Difference &D) {
  J.attributeArray("facts", [&] {
    for (const Fact &F : findFacts(D))
      J.object([&] {
        J.attribute("kind", name(F.Kind));
        sitePlace(J, F.Site ? &F.Site->place() : nullptr);
        text(J, "call", F.Site ? F.Site->row().Call : "");
        auto Count = [&](double V) {
          return countsCalls(F.Kind) ? std::optional(V) : std::nullopt;
        };
        optional(J, "base_calls_per_step", Count(F.Base));
        optional(J, "new_calls_per_step", Count(F.New));
        J.attribute("text", json::fixUTF8(factText(D, F)));
      });
  });
}

void compared(json::OStream &J, const Difference &D) {
  if (!D.Judged)
    return J.attribute("compared", nullptr);
  J.attributeObject("compared", [&] {
    J.attribute("metric",
                D.Compared->Metric == TrialMetric::Wall ? "wall" : "step");
    writeJudgement(J, *D.Compared, *D.Judged);
  });
}

void part(json::OStream &J, const PartChange &C) {
  J.object([&] {
    J.attribute("what", C.IsKernel ? "kernel" : "range");
    J.attribute("name", json::fixUTF8(C.Name));
    sitePlace(J, C.Place);
    J.attribute("base_count_per_step", C.BaseCount);
    J.attribute("new_count_per_step", C.NewCount);
    J.attribute("base_time_per_step_ns", int64_t(C.BaseTime));
    J.attribute("new_time_per_step_ns", int64_t(C.NewTime));
    J.attribute("of_step", C.OfStep);
    J.attribute("significant", C.Significant);
    change(J, "time_change", C.Time);
  });
}

void prediction(json::OStream &J, const Difference &D) {
  if (!D.Predicted)
    return J.attribute("predicted", nullptr);
  const Prediction &P = *D.Predicted;
  J.attributeObject("predicted", [&] {
    J.attributeArray("sites", [&] {
      for (size_t I : P.Sites)
        J.object([&] {
          sitePlace(J, &D.Sites[I].place());
          J.attribute("call", json::fixUTF8(D.Sites[I].row().Call));
        });
    });
    J.attributeArray("pinned", [&] {
      for (size_t I : P.Pinned)
        J.object([&] {
          sitePlace(J, &D.Sites[I].place());
          J.attribute("call", json::fixUTF8(D.Sites[I].row().Call));
        });
    });
    J.attribute("runs", name(P.Predicted));
    J.attribute("step_base_ns", P.Base);
    J.attribute("step_low_ns", P.Low);
    J.attribute("step_high_ns", P.High);
    J.attribute("step_measured_ns", P.Measured);
    J.attribute("error", P.Error);
    text(J, "agreement", P.isEmpty() ? "" : name(P.Found));
  });
}

void idle(json::OStream &J, const DiffInput &About) {
  const Difference &D = About.D;
  if (!haveGpuWork(D))
    return J.attribute("idle", nullptr);
  J.attributeObject("idle", [&] {
    J.attribute("per_step", ofSteps(D));
    J.attributeArray("causes", [&] {
      for (const CauseChange &C : causeChanges(D))
        J.object([&] {
          J.attribute("cause", analysis::name(C.Kind));
          J.attribute("base_ns", C.Base.Time);
          J.attribute("new_ns", C.New.Time);
          J.attribute("base_share", double(C.Base.Share) / 1e6);
          J.attribute("new_share", double(C.New.Share) / 1e6);
        });
    });
    J.attributeArray("cpu_busy", [&] {
      for (const CpuChange &C : cpuChanges(About))
        J.object([&] {
          J.attribute("name", json::fixUTF8(C.Name));
          J.attribute("base_ns", C.Base);
          J.attribute("new_ns", C.New);
        });
    });
  });
}

} // namespace

void report::writeDiffJson(llvm::raw_ostream &Out, const DiffInput &About,
                           const TextStyle &) {
  const Difference &D = About.D;
  json::OStream J(Out, 2);
  J.object([&] {
    J.attribute("schema", "autoprof-diff/1");
    inputs(J, D);
    step(J, D);
    compared(J, D);
    facts(J, D);
    J.attributeArray("sites", [&] {
      for (const SiteChange &C : D.Sites)
        site(J, D, C);
    });
    J.attributeArray("parts", [&] {
      for (const PartChange &C : D.Parts)
        part(J, C);
    });
    idle(J, About);
    prediction(J, D);
    writeProof(J, &D);
    J.attribute("summary", json::fixUTF8(diffCause(D) + " " + diffEffect(D)));
    J.attributeArray("notes", [&] {
      for (const std::string &Note : diffNotes(D))
        J.value(json::fixUTF8(Note));
    });
  });
  Out << '\n';
}
