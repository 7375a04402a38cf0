// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/JsonFields.h"
#include "report/recording/JsonParts.h"
#include "report/recording/Proof.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
namespace json = llvm::json;

namespace {

llvm::StringRef outputsName(OutputsAre O) {
  constexpr llvm::StringLiteral Names[] = {"not_compared", "equal", "different",
                                           "varying"};
  return Names[unsigned(O)];
}

const Prediction *prediction(const Difference &D) {
  return D.Predicted && !D.Predicted->isEmpty() ? &*D.Predicted : nullptr;
}

void measured(json::OStream &J, const std::optional<StepChange> &S) {
  auto Known = [&](double V) {
    return S->Enough && S->Basis != StepBasis::OneRun ? std::optional(V)
                                                      : std::nullopt;
  };
  if (!S)
    return J.attribute("measured", nullptr);
  J.attributeObject("measured", [&] {
    J.attribute("basis", analysis::name(S->Basis));
    J.attribute("change", S->Change);
    optional(J, "low", Known(S->Range.Low));
    optional(J, "high", Known(S->Range.High));
    J.attribute("significant", S->Significant);
  });
}

void reported(json::OStream &J, const Difference &D) {
  J.attributeArray("reported", [&] {
    for (const ReportedGain &R : reportedGains(D))
      J.object([&] {
        sitePlace(J, &R.Site.place());
        J.attribute("call", json::fixUTF8(R.Site.row().Call));
        J.attribute("change", analysis::name(R.Kind));
        J.attribute("runs", R.Gain.Recorded ? "recorded" : "unrecorded");
        J.attribute("low_ns", R.Gain.Saved.Low);
        J.attribute("middle_ns", R.Gain.Saved.Middle);
        J.attribute("high_ns", R.Gain.Saved.High);
        J.attribute("whole_ns", R.Gain.Whole);
        J.attribute("with_next_waits", !R.Gain.Along.empty());
      });
  });
}

} // namespace

void report::writeProof(json::OStream &J, const Difference *D) {
  if (!D)
    return J.attribute("proof", nullptr);
  const Prediction *P = prediction(*D);
  const std::optional<Trials> &T = D->Compared;
  J.attributeObject("proof", [&] {
    J.attributeArray("changes", [&] {
      for (const Fact &F : findFacts(*D))
        J.value(json::fixUTF8(factText(*D, F)));
    });
    if (P)
      J.attributeObject("predicted", [&] {
        J.attribute("runs", analysis::name(P->Predicted));
        J.attribute("low", P->lowChange());
        J.attribute("high", P->highChange());
      });
    else
      J.attribute("predicted", nullptr);
    reported(J, *D);
    measured(J, D->Step);
    text(J, "agreement", P ? analysis::name(P->Found) : "");
    text(J, "outputs", T ? outputsName(compareOutputs(*T)) : "");
    optional(J, "base_exit_code",
             T ? std::optional(T->Base.ExitCode) : std::nullopt);
    optional(J, "new_exit_code",
             T ? std::optional(T->New.ExitCode) : std::nullopt);
  });
}
