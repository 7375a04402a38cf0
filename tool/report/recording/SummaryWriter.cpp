// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/JsonFields.h"
#include "report/recording/Summary.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
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

void steps(json::OStream &J, const RankSteps &All) {
  size_t Together = All.PerValue;
  while (All.Times.size() * All.PerValue / Together > MostValues)
    Together *= 2;
  const RankSteps S = All.coarsened(Together);
  const int64_t Quantum = quantumOf(S.Median);
  J.attributeObject("steps", [&] {
    text(J, "source", S.Source);
    text(J, "id", S.Site ? fmt::format("{:#018x}", S.Site) : "");
    J.attribute("clock", S.FromGpu ? "gpu" : "host");
    J.attribute("count", int64_t(S.Count));
    J.attribute("measured", int64_t(S.Measured));
    J.attribute("warm_up", int64_t(S.WarmUp));
    J.attribute("median_ns", S.Median);
    J.attribute("p95_ns", S.P95);
    J.attribute("first", int64_t(S.First));
    J.attribute("per_value", int64_t(S.PerValue));
    J.attribute("quantum_ns", Quantum);
    J.attributeArray("times", [&] {
      for (int64_t Time : S.Times)
        J.value((Time + Quantum / 2) / Quantum);
    });
  });
}

void sums(json::OStream &J, const RankSums &S) {
  J.attribute("count", int64_t(S.Count));
  J.attribute("host_ns", S.HostTime);
  J.attribute("span_ns", S.Span);
  J.attribute("busy_ns", S.Busy);
  J.attribute("wait_ns", S.Waited);
  J.attribute("exposed_ns", S.Exposed);
  J.attribute("regime", S.Regime);
  optional(J, "launches_blocked_ns", S.Blocked);
}

void site(json::OStream &J, const RankSiteRow &S) {
  siteCall(J, S);
  siteSums(J, S);
  text(J, "verdict", analysis::name(S.Judged));
}

/// The sums of the rows that are not written.
void leftOut(json::OStream &J, llvm::ArrayRef<RankSiteRow> Rest) {
  int64_t Wait = 0, Exposed = 0;
  for (const RankSiteRow &S : Rest) {
    Wait += S.Wait.value_or(0);
    Exposed += S.Exposed.value_or(0);
  }
  J.attribute("count", int64_t(Rest.size()));
  J.attribute("wait_ns", Wait);
  J.attribute("exposed_ns", Exposed);
}

void process(json::OStream &J, const RankSummary &S) {
  J.attribute("path", json::fixUTF8(S.Path));
  optional(J, "rank", S.Info.Rank);
  optional(J, "local_rank", S.Info.LocalRank);
  optional(J, "ranks", S.Info.Ranks);
  text(J, "host", S.Info.Host);
  optional(J, "pid", S.Info.Pid < 0 ? std::nullopt : std::optional(S.Info.Pid));
  text(J, "command", S.Info.CommandLine);
  text(J, "mode", S.Info.Mode);
  text(J, "cupti", S.Info.CuptiState);
  J.attributeArray("devices", [&] {
    for (const std::string &Name : S.Devices)
      J.value(json::fixUTF8(Name));
  });
  J.attribute("wall_ns", S.Wall);
  optional(J, "wait_ns", S.Waited);
}

} // namespace

void report::writeSummary(llvm::raw_ostream &Out, const RankSummary &S) {
  json::OStream J(Out);
  llvm::ArrayRef<RankSiteRow> Sites(S.Sites);
  J.object([&] {
    J.attribute("schema", "autoprof-summary/1");
    process(J, S);
    steps(J, S.Steps);
    if (S.InSteps)
      J.attributeObject("in_steps", [&] { sums(J, *S.InSteps); });
    else
      J.attribute("in_steps", nullptr);
    J.attributeArray("sites", [&] {
      for (const RankSiteRow &Row : Sites.take_front(MostSites))
        J.object([&] { site(J, Row); });
    });
    J.attributeObject("sites_left_out", [&] {
      leftOut(J, Sites.size() > MostSites ? Sites.drop_front(MostSites)
                                          : llvm::ArrayRef<RankSiteRow>());
    });
    J.attributeArray("caveats", [&] {
      for (const std::string &Line : S.Caveats)
        J.value(json::fixUTF8(Line));
    });
    J.attribute("cut_off", S.IsCutOff);
  });
  Out << '\n';
}
