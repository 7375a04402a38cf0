// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What recordings measured, for programs.
#include "report/audit/AuditJson.h"

using namespace autoprof;
using namespace autoprof::audit;
using namespace autoprof::report;
using fields::Fields;
using prices::Gain;
using prices::SitePrice;
using prices::StepSums;

namespace {

std::optional<int64_t> low(const std::optional<Gain> &G, int64_t Count = 1) {
  return G ? std::optional(G->Low / Count) : std::nullopt;
}
std::optional<int64_t> high(const std::optional<Gain> &G, int64_t Count = 1) {
  return G ? std::optional(G->High / Count) : std::nullopt;
}

/// Means.
void perStepFields(Fields &F, const StepSums &S, int64_t Count) {
  F.field("steps", "how many", Count);
  F.field("wait_ns", "time it waited", S.Wait / Count);
  F.field("exposed_ns", "exposed stall", S.Exposed / Count);
  F.field("gain_low_ns", "what removing the call saves: the lower end",
          S.Removed.Low / Count);
  F.field("gain_high_ns", "the upper end", S.Removed.High / Count);
}

/// Keys that findings[].price and unfound_waits[] share.
void figureFields(Fields &F, const SitePrice *Known) {
  static const SitePrice Unknown;
  const SitePrice &S = Known ? *Known : Unknown;
  auto IfKnown = [&](auto V) {
    return Known ? std::optional(V) : std::nullopt;
  };
  F.field("recordings",
          "in how many recordings it ran; the following are sums over these",
          Known ? S.Recordings : 0);
  F.field("calls", "times it ran; null: it did not", IfKnown(S.Calls));
  F.field("waits", "times it waited; null: not known",
          S.Wait ? IfKnown(S.Waits) : std::nullopt);
  F.field("host_ns", "time inside the call", IfKnown(S.HostTime));
  F.field("wait_ns", "time it waited", S.Wait);
  F.field("exposed_ns", "exposed stall", S.Exposed);
  F.field("gain_low_ns", "what removing the call saves: the lower end",
          low(S.Removed));
  F.field("gain_high_ns", "the upper end", high(S.Removed));
  F.choice("verdict",
           "that of the report; null: none, or not the same in all recordings",
           S.Verdict,
           {"remove", "postpone", "make_async", "keep", "not_worth_it", ""});
  F.object("per_step",
           "means over the steps that count of the recordings in which it ran; "
           "null: these have no steps, or different ones",
           S.Steps, [&](const StepSums &Steps) {
             perStepFields(F, Steps, S.Totals ? int64_t(S.Totals->Count) : 1);
           });
}

void unfoundFields(Fields &F, const Audit &A, const UnfoundWait &W) {
  const prices::Place Position = W.Site ? W.Site->Position : prices::Place();
  F.id("site", "id of the site; null: the recording has none", Position.Id);
  F.text("file",
         "as in `sites[]` where the audit knows the call, else as recorded",
         W.Known ? A.P.shownPath(W.Known->Model->Location) : Position.File);
  F.unlessZero("line", "line, counted from 1",
               W.Known ? W.Known->Model->Location.Line : Position.Line);
  F.text("function", "the function that contains it", Position.Function);
  F.text("call", "as recorded", Position.Call);
  figureFields(F, W.Site);
  F.choice(
      "reason",
      "why it is not a finding: `accepted` by the baseline; silenced by a "
      "`comment`; `not_chosen` by the filters; `outside_loops` to "
      "`other_finding`: known, see [waits without a "
      "finding](audit/README.md#waits-without-a-finding); `not_expected`: the "
      "audit assumes that it does not wait; `may_wait`: the audit cannot tell; "
      "`not_read`: its source; `ambiguous`: several calls fit its line; "
      "`changed`: its file has no such call; `not_in_sources`: its file is not "
      "audited; `no_place`: the recording names none",
      W.Cause, Silence::NoPlace);
  F.field("why", "the same as a clause, with details", W.Text);
}

void recordedFields(Fields &F, const prices::Prices &Recorded) {
  F.list("recordings", "the recordings", Recorded.Recordings,
         [&](const prices::Recording &R) {
           F.field("path", "as given on the command line", R.Path);
           F.text("command", "the recorded program's command line", R.Command);
           F.field(
               "waits_known",
               "false: the trace has no GPU work, so it tells only what ran",
               R.WaitsKnown);
           F.field("is_part", "only a part of the run was recorded", R.IsPart);
         });
  F.field("gpu_span_ns",
          "from the first to the last GPU operation; null: not known of one of "
          "them",
          Recorded.Span);
  F.field("wait_ns", "sum of all waits; null: not known of one of them",
          Recorded.Waited);
  F.object(
      "steps",
      "the steps that count; null: the recordings have none, or different ones",
      Recorded.Steps, [&](const prices::StepTotals &Steps) {
        F.text("source", "where the steps come from", Steps.Source);
        F.field("measured", "how many", Steps.Count);
        F.field("span_ns", "the GPU's time in them, summed over devices",
                Steps.Span);
      });
}

} // namespace

void report::priceFields(Fields &F, const Audit &A, const Finding &Of) {
  F.object(
      "price",
      "what the recordings of `--prices` measured at the site; null: without "
      "`--prices`, or the finding is about no single call",
      A.Priced ? A.Priced->of(Of) : std::nullopt,
      [&](const FindingPrice &Price) {
        F.choice("state",
                 "`not_a_wait`: it ran, never waited, and what its rule finds "
                 "costs something else; `not_reached`: its probe never ran; "
                 "`no_probe`: the recorded program has no probe there; "
                 "`unknown`: the recordings cannot tell",
                 Price.State, Measured::Unknown);
        F.choice(
            "matched_by",
            "how the call was found in the recordings: by site id, or else by "
            "file, line and call where exactly one call fits; null: it was not",
            !Price.Site     ? ""
            : Price.ByPlace ? "place"
                            : "id",
            {"id", "place", ""});
        figureFields(F, Price.Site);
      });
}

void report::pricingFields(Fields &F, const Audit &A) {
  F.object(
      "prices",
      "the recordings of `--prices`, and their sums; null: without `--prices`",
      A.Priced ? &A.Priced->recorded() : nullptr,
      [&](const prices::Prices &Recorded) { recordedFields(F, Recorded); });
  F.listOrNull("unfound_waits",
               "calls that waited in the recordings and are not a finding, the "
               "most expensive first; null: without `--prices`",
               A.Priced ? &A.Unfound : nullptr,
               [&](const UnfoundWait &W) { unfoundFields(F, A, W); });
}
