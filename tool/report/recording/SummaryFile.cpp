// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Summary.h"

#include "config/ParseJson.h"
#include "report/JsonFields.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

constexpr size_t MostValues = 1'000, MostSites = 32;

/// The largest power of ten that is not above a ten-thousandth of a step.
int64_t quantumOf(int64_t Step) {
  int64_t Quantum = 1;
  while (Quantum * 10 <= Step / 10'000)
    Quantum *= 10;
  return Quantum;
}

void checkSteps(Fields &F, RankSteps &S, int64_t Quantum) {
  if (!S.First)
    F.complain("first", "is not the number of a step");
  for (int64_t &Time : S.Times) {
    if (Quantum && Time > fields::MostInteger / Quantum)
      F.complain("times", "contains something other than a time");
    else
      Time *= Quantum;
  }
}

void stepsFields(Fields &F, RankSteps &S) {
  F.text("source", "which range the steps are", S.Source);
  F.id("id", "site id of that range", S.Site);
  F.either("clock",
           "`gpu`: from the end of one step's GPU work to the end of the next "
           "one's; `host`: the loop's own time",
           S.FromGpu, "gpu", "host");
  F.field("count", "0: none found", S.Count);
  F.field("measured", "steps that count: all but the warm-up", S.Measured);
  F.field("warm_up", "first steps that are not in the statistics", S.WarmUp);
  F.field("median_ns", "step time, without the warm-up; 0 without steps",
          S.Median);
  F.field("p95_ns", "95th percentile; 0 without steps", S.P95);
  F.field("first", "number (counted from 1) of the first step in `times[]`",
          S.First);
  int64_t Quantum = quantumOf(S.Median);
  F.field("quantum_ns",
          "the largest power of ten up to a ten-thousandth of the median step",
          Quantum);
  std::vector<int64_t> Times;
  for (int64_t Time : S.Times)
    Times.push_back((Time + Quantum / 2) / Quantum);
  F.field("times",
          "times of the steps that count, in units of `quantum_ns`; at "
          "most the first thousand",
          Times);
  if (!F.reads())
    return;
  S.Times = std::move(Times);
  checkSteps(F, S, Quantum);
}

void sumsFields(Fields &F, RankSums &S) {
  F.field("count", "steps", S.Count);
  F.field("host_ns", "host time", S.HostTime);
  F.field("span_ns",
          "from end to end of the steps' GPU work; summed over devices",
          S.Span);
  F.field("busy_ns", "time in which at least one GPU operation ran", S.Busy);
  F.field("wait_ns", "waits", S.Waited);
  F.field("exposed_ns", "exposed stall", S.Exposed);
  F.choice("regime", "what limits the steps", S.Regime,
           Fields::names(Regime::HeldUp));
}

llvm::Expected<RankSummary> parseOne(StringRef Text) {
  llvm::Expected<json::Value> Document = parseJson(Text);
  if (!Document)
    return llvm::createStringError("it is damaged JSON: " +
                                   llvm::toString(Document.takeError()));
  const json::Object *O = Document->getAsObject();
  StringRef Schema = O ? O->getString("schema").value_or("") : "";
  if (Schema != "autoprof-summary/1")
    return llvm::createStringError(
        Schema.starts_with("autoprof-summary/")
            ? "it is of the schema " + Schema.str() +
                  ", which a newer autoprof reads"
            : "it is not a summary (schema autoprof-summary/1)");
  RankSummary S;
  Fields F(*O);
  summaryFields(F, S);
  if (!F.wrong().empty())
    return llvm::createStringError("the summary is damaged: " + F.wrong());
  return S;
}

/// Whether lines are documents; else the whole text is one.
bool isByLines(StringRef Text) {
  StringRef First = Text.ltrim().split('\n').first.rtrim();
  return First.ends_with("}");
}

} // namespace

void report::summaryFields(Fields &F, RankSummary &S) {
  F.format("autoprof-summary/1",
           "What `autoprof summarize` writes about one rank, on one line; "
           "files may be joined with `cat`.");
  F.field("path", "the trace", S.Path);
  rankNumberFields(F, S.Info);
  rankProcessFields(F, S.Info);
  modeFields(F, S.Info);
  F.field("devices", "names of the GPUs used", S.Devices);
  F.field("wall_ns", "the process's lifetime while recording", S.Wall);
  F.field("wait_ns", "sum of all waits", S.Waited);
  F.object(
      "steps",
      "the steps; ranks are compared where `source`, `id` and `clock` agree",
      [&] { stepsFields(F, S.Steps); });
  F.object("in_steps",
           "sums over the steps that count, as `steps` of `autoprof-report/1`; "
           "null without such steps",
           S.InSteps, [&](RankSums &Sums) { sumsFields(F, Sums); });
  if (S.Sites.size() > MostSites)
    S.Sites.resize(MostSites);
  F.list("sites", "the first 32 of `sites[]` of `autoprof-report/1`", S.Sites,
         [&](RankSiteRow &Row) {
           siteCallFields(F, Row);
           siteSumsFields(F, Row);
           F.choice("verdict", "null when it did not wait", Row.Judged,
                    Verdict::NotWorthIt);
         });
  F.field("caveats", "sentences: what the trace lacks, losses included",
          S.Caveats);
  F.field("cut_off", "the end of the file is missing", S.IsCutOff);
}

void report::writeSummary(llvm::raw_ostream &Out, const RankSummary &S) {
  RankSummary Kept = S;
  std::vector<int64_t> &Times = Kept.Steps.Times;
  Times.resize(std::min(Times.size(), MostValues));
  writeFields(Out, [&](Fields &F) { summaryFields(F, Kept); }, /*Indent=*/0);
}

bool report::isSummary(StringRef Start) {
  return Start.ltrim().starts_with("{") &&
         Start.take_front(256).contains("\"autoprof-summary/");
}

llvm::Expected<std::vector<RankSummary>> report::readSummaries(StringRef Text) {
  std::vector<RankSummary> Result;
  const bool ByLines = isByLines(Text);
  for (size_t Line = 1; !Text.empty(); ++Line) {
    StringRef One = Text;
    if (ByLines)
      std::tie(One, Text) = Text.split('\n');
    else
      Text = "";
    if (One.trim().empty())
      continue;
    llvm::Expected<RankSummary> S = parseOne(One);
    if (!S)
      return llvm::createStringError(
          (ByLines ? "line " + std::to_string(Line) + ": " : "") +
          llvm::toString(S.takeError()));
    Result.push_back(std::move(*S));
  }
  return Result;
}
