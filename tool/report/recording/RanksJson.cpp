// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/JsonFields.h"
#include "report/recording/Formats.h"
#include "report/recording/Ranks.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
namespace json = llvm::json;

namespace {

void rankSteps(json::OStream &J, const RankSummary &S, size_t SlowestIn) {
  const RankSteps &Summary = S.Steps;
  auto Known = [&](int64_t Value) {
    return Summary.Count ? std::optional(Value) : std::nullopt;
  };
  auto Sum = [&](int64_t RankSums::*Value) {
    return S.InSteps ? std::optional((*S.InSteps).*Value) : std::nullopt;
  };
  J.attributeObject("steps", [&] {
    J.attribute("count", int64_t(Summary.Count));
    text(J, "source", Summary.Source);
    J.attribute("measured", int64_t(Summary.Measured));
    optional(J, "median_ns", Known(Summary.Median));
    optional(J, "p95_ns", Known(Summary.P95));
    optional(J, "wait_ns", Sum(&RankSums::Waited));
    optional(J, "launches_blocked_ns",
             S.InSteps ? S.InSteps->Blocked : std::nullopt);
    optional(J, "exposed_ns", Sum(&RankSums::Exposed));
    optional(J, "busy_ns", Sum(&RankSums::Busy));
    optional(J, "span_ns", Sum(&RankSums::Span));
    text(J, "regime", S.InSteps ? S.InSteps->Regime : "");
    J.attribute("slowest", int64_t(SlowestIn));
  });
}

void rank(json::OStream &J, const RankSummary &S, size_t SlowestIn) {
  optional(J, "rank", S.Info.Rank);
  optional(J, "local_rank", S.Info.LocalRank);
  optional(J, "ranks", S.Info.Ranks);
  J.attribute("path", json::fixUTF8(S.Path));
  text(J, "host", S.Info.Host);
  optional(J, "pid", S.Info.Pid < 0 ? std::nullopt : std::optional(S.Info.Pid));
  text(J, "command", S.Info.CommandLine);
  J.attributeArray("devices", [&] {
    for (const std::string &Name : S.Devices)
      J.value(json::fixUTF8(Name));
  });
  J.attribute("wall_ns", S.Wall);
  optional(J, "wait_ns", S.Waited);
  rankSteps(J, S, SlowestIn);
  J.attributeArray("caveats", [&] {
    for (const std::string &Line : S.Caveats)
      J.value(json::fixUTF8(Line));
  });
  J.attribute("cut_off", S.IsCutOff);
}

void site(json::OStream &J, const Ranks &R, const RankSite &S) {
  siteCall(J, S);
  J.attribute("ranks", int64_t(S.Ranks));
  J.attribute("worth_changing", int64_t(S.WorthChanging));
  siteSums(J, S);
  optional(J, "least_wait_ns", S.LeastWait);
  optional(J, "most_wait_ns", S.MostWait);
  text(J, "most_wait_path",
       S.MostWait.value_or(0) ? R.All[S.MostWaiting].Path : "");
}

void outlier(json::OStream &J, const Ranks &R, const Outlier &O) {
  constexpr llvm::StringLiteral Names[] = {"step", "wait", "exposed", "busy"};
  J.attribute("path", json::fixUTF8(R.All[O.Rank].Path));
  optional(J, "rank", R.All[O.Rank].Info.Rank);
  J.attribute("what", Names[unsigned(O.Kind)]);
  J.attribute("value_ns", O.Value);
  J.attribute("median_ns", O.Median);
  J.attribute("z", O.Z);
}

void jointGain(json::OStream &J, llvm::StringRef Name, const JointGain &G) {
  auto Unrecorded = [&](int64_t Estimate::*Value) {
    return G.Unrecorded ? std::optional((*G.Unrecorded).*Value) : std::nullopt;
  };
  J.attributeObject(Name, [&] {
    J.attribute("recorded_low_ns", G.Recorded.Low);
    J.attribute("recorded_high_ns", G.Recorded.High);
    optional(J, "unrecorded_ns", Unrecorded(&Estimate::Middle));
    optional(J, "unrecorded_low_ns", Unrecorded(&Estimate::Low));
    optional(J, "unrecorded_high_ns", Unrecorded(&Estimate::High));
  });
}

void together(json::OStream &J, const std::optional<Together> &Job) {
  if (!Job) {
    J.attribute("job", nullptr);
    return;
  }
  const bool Replayed = Job->Obstacle.empty();
  J.attributeObject("job", [&] {
    text(J, "obstacle", Job->Obstacle);
    optional(J, "collectives",
             Replayed ? std::optional(int64_t(Job->Collectives))
                      : std::nullopt);
    J.attribute("per_step", Job->PerStep);
    optional(J, "whole_ns",
             Replayed ? std::optional(Job->Whole) : std::nullopt);
    J.attributeArray("collective_waits", [&] {
      for (const CollectiveWait &Wait : Job->Waits)
        J.object([&] {
          J.attribute("rank", Wait.Rank);
          J.attribute("wait_ns", Wait.Time);
          J.attribute("last_rank", Wait.Time ? json::Value(Wait.Last)
                                             : json::Value(nullptr));
          J.attribute("last_rank_wait_ns", Wait.LastTime);
        });
    });
    J.attributeArray("removed", [&] {
      for (const TogetherSite &S : Job->Sites)
        J.object([&] {
          siteCall(J, S);
          J.attribute("ranks", int64_t(S.Ranks));
          J.attribute("rank", S.Rank);
          jointGain(J, "on_all", S.OnAll);
          jointGain(J, "on_one", S.OnOne);
        });
    });
  });
}

} // namespace

void report::writeRanksJson(llvm::raw_ostream &Out, const RanksInput &About,
                            const TextStyle &) {
  const Ranks &R = About.R;
  const llvm::ArrayRef<Unreadable> Bad = About.Bad;
  json::OStream J(Out, 2);
  J.object([&] {
    J.attribute("schema", "autoprof-ranks/1");
    J.attributeArray("unreadable", [&] {
      for (const Unreadable &U : Bad)
        J.object([&] {
          J.attribute("path", json::fixUTF8(U.Path));
          J.attribute("error", json::fixUTF8(U.Error));
        });
    });
    J.attributeArray("doubts", [&] {
      for (const std::string &Line : R.Doubts)
        J.value(json::fixUTF8(Line));
    });
    J.attributeArray("ranks", [&] {
      for (size_t I = 0; I < R.All.size(); ++I)
        J.object([&] { rank(J, R.All[I], R.SlowestIn[I]); });
    });
    J.attributeArray("outliers", [&] {
      for (const Outlier &O : R.Outliers)
        J.object([&] { outlier(J, R, O); });
    });
    J.attribute("steps_together", int64_t(R.StepsTogether));
    J.attributeArray("steps", [&] {
      for (const RankStep &S : R.Steps)
        J.object([&] {
          J.attribute("number", int64_t(S.Number));
          J.attribute("slowest_path", json::fixUTF8(R.All[S.Slowest].Path));
          optional(J, "slowest_rank", R.All[S.Slowest].Info.Rank);
          J.attribute("time_ns", S.Time);
          J.attribute("median_ns", S.Median);
          J.attribute("fastest_ns", S.Fastest);
        });
    });
    together(J, R.Jointly);
    J.attributeArray("sites", [&] {
      for (const RankSite &S : R.Sites)
        J.object([&] { site(J, R, S); });
    });
  });
  Out << '\n';
}
