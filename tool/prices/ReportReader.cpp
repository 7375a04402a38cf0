// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of a report, what Prices holds; keys that are missing are those of an older
// or newer autoprof, or of a damaged file: their values are unknown.
#include "config/ParseJson.h"
#include "prices/Prices.h"

using namespace autoprof::prices;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

std::string text(const json::Object &O, StringRef Key) {
  return O.getString(Key).value_or("").str();
}

std::optional<int64_t> number(const json::Object &O, StringRef Key) {
  const std::optional<int64_t> N = O.getInteger(Key);
  return N && *N >= 0 ? N : std::nullopt;
}

int64_t count(const json::Object &O, StringRef Key) {
  return number(O, Key).value_or(0);
}

std::optional<Gain> gain(const json::Object &O, StringRef Prefix) {
  const auto Low = number(O, (Prefix + "gain_low_ns").str()),
             High = number(O, (Prefix + "gain_high_ns").str());
  return Low && High ? std::optional(Gain{*Low, *High}) : std::nullopt;
}

/// Of one step, where it is per step.
std::optional<Expected> readExpected(const json::Object &O) {
  const auto Low = O.getInteger("low_ns"), Middle = O.getInteger("middle_ns"),
             High = O.getInteger("high_ns"), Whole = O.getInteger("whole_ns");
  if (!Low || !Middle || !High || !Whole)
    return std::nullopt;
  return Expected{text(O, "change"),
                  O.getBoolean("per_step").value_or(false),
                  text(O, "runs") == "recorded",
                  *Low,
                  *Middle,
                  *High,
                  *Whole,
                  0};
}

/// From one step to all, which `Steps` counts.
void stretch(Expected &E, int64_t Steps, int64_t Resolution) {
  const int64_t Factor = E.PerStep ? Steps : 1;
  for (int64_t *One : {&E.Low, &E.Middle, &E.High, &E.Whole})
    *One *= Factor;
  E.Resolution = E.IsRecorded ? 0 : Resolution * Factor;
}

SitePrice readSite(const json::Object &O) {
  SitePrice S;
  S.Position = {parseId(text(O, "id")),     text(O, "file"),
                unsigned(count(O, "line")), 0,
                text(O, "function"),        text(O, "call")};
  S.Calls = uint64_t(count(O, "count"));
  S.Waits = uint64_t(count(O, "waits"));
  S.HostTime = count(O, "host_ns");
  S.Wait = number(O, "wait_ns");
  S.Exposed = number(O, "exposed_ns");
  S.Removed = gain(O, "");
  S.GainNote = text(O, "gain_note");
  S.Verdict = text(O, "verdict");
  if (const json::Object *Steps = O.getObject("steps"))
    S.Steps = StepSums{uint64_t(count(*Steps, "waits")),
                       count(*Steps, "wait_ns"), count(*Steps, "exposed_ns"),
                       gain(*Steps, "").value_or(Gain())};
  if (const json::Object *E = O.getObject("expected_gain"))
    S.Expected = readExpected(*E);
  return S;
}

Recording readRecording(const json::Object &Report) {
  Recording R;
  if (const json::Array *Inputs = Report.getArray("inputs");
      Inputs && !Inputs->empty())
    if (const json::Object *Input = Inputs->front().getAsObject()) {
      R.Path = text(*Input, "path");
      R.Command = text(*Input, "command");
      R.NoGpuWork = text(*Input, "cupti_reason");
    }
  if (const json::Object *Recorded = Report.getObject("recorded"))
    R.IsPart = !text(*Recorded, "plan").empty();
  R.IsPart |= Report.getObject("window") != nullptr;
  return R;
}

void readSteps(const json::Object &Report, Prices &Result) {
  const json::Object *Steps = Report.getObject("steps");
  if (!Steps)
    return;
  const std::optional<int64_t> Span = number(*Steps, "span_ns");
  const int64_t Count = count(*Steps, "measured");
  if (Span && Count)
    Result.Steps = StepTotals{text(*Steps, "source"), uint64_t(Count), *Span,
                              text(*Steps, "regime") == "launch_bound"};
  Result.StepSpan = Result.Steps ? *Span : 0;
}

} // namespace

bool autoprof::prices::isReport(StringRef Start) {
  return Start.ltrim().starts_with("{") &&
         Start.take_front(256).contains("\"autoprof-report/");
}

llvm::Expected<Prices> autoprof::prices::readReport(StringRef Json) {
  llvm::Expected<json::Value> Document = parseJson(Json);
  if (!Document)
    return llvm::createStringError("it is damaged JSON: " +
                                   llvm::toString(Document.takeError()));
  const json::Object *Report = Document->getAsObject();
  const std::string Schema = Report ? text(*Report, "schema") : "";
  if (Schema != "autoprof-report/1")
    return llvm::createStringError(
        StringRef(Schema).starts_with("autoprof-report/")
            ? "its schema is " + Schema + "; use the autoprof that wrote it"
            : "it is not a report of one recording (schema autoprof-report/1)");
  Prices Result;
  Result.Recordings.push_back(readRecording(*Report));
  if (const json::Object *Summary = Report->getObject("summary")) {
    Result.Span = number(*Summary, "gpu_span_ns");
    Result.Waited = number(*Summary, "wait_ns");
  }
  Result.Recordings.front().WaitsKnown = Result.Waited.has_value();
  readSteps(*Report, Result);
  const json::Array *Sites = Report->getArray("sites");
  if (!Sites)
    return llvm::createStringError("the report is damaged: it has no 'sites'");
  for (const json::Value &V : *Sites)
    if (const json::Object *Site = V.getAsObject()) {
      Result.Sites.push_back(readSite(*Site));
      SitePrice &S = Result.Sites.back();
      S.Span = Result.Span;
      if (S.Steps && Result.Steps)
        S.Totals = Result.Steps;
      else
        S.Steps.reset();
      if (S.Expected && S.Expected->PerStep && !S.Totals)
        S.Expected.reset();
      if (S.Expected)
        stretch(*S.Expected, S.Totals ? int64_t(S.Totals->Count) : 1,
                count(*Report, "gain_resolution_ns"));
    }
  if (const json::Array *Ids = Report->getArray("unreached")) {
    Result.Unreached.emplace();
    for (const json::Value &V : *Ids)
      if (uint64_t Id = parseId(V.getAsString().value_or("")))
        Result.Unreached->insert(Id);
  }
  return Result;
}
