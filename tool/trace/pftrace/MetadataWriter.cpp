// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/pftrace/MetadataWriter.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace autoprof::trace;
namespace json = llvm::json;

namespace {

MetadataDocument process(const Process &P) {
  json::Object Document{{"schema", "autoprof-trace/1"},
                        {"pid", P.Pid},
                        {"cmdline", json::Array{P.CommandLine}},
                        {"host", P.Host},
                        {"mode", P.Mode},
                        {"version", P.Version},
                        {"cupti", json::Object{{"state", P.CuptiState},
                                               {"reason", P.CuptiReason}}}};
  for (auto &[Key, Number] : {std::pair("rank", P.Rank),
                              {"local_rank", P.LocalRank},
                              {"ranks", P.Ranks}})
    if (Number)
      Document[Key] = *Number;
  if (P.Stacks)
    Document["stacks"] = json::Object{{"long_ns", P.Stacks->Long},
                                      {"pause_ns", P.Stacks->Pause},
                                      {"one_in", P.Stacks->OneIn}};
  return {"process", std::move(Document)};
}

MetadataDocument device(const Device &D) {
  json::Object Document{{"id", D.Id}, {"name", D.Name}};
  if (D.ComputeMajor)
    Document["compute"] =
        llvm::formatv("{0}.{1}", D.ComputeMajor, D.ComputeMinor).str();
  for (auto [Key, Number] : {std::pair("sms", uint64_t(D.Sms)),
                             {"memory_bytes", D.MemoryBytes},
                             {"warps_per_sm", uint64_t(D.WarpsPerSm)},
                             {"blocks_per_sm", uint64_t(D.BlocksPerSm)},
                             {"registers_per_sm", uint64_t(D.RegistersPerSm)},
                             {"shared_per_sm", D.SharedPerSm}})
    if (Number)
      Document[Key] = Number;
  return {"device", std::move(Document)};
}

void addWindows(std::vector<MetadataDocument> &Out, const Timeline &T) {
  const Windows &W = T.Recorded;
  if (!W.Limited)
    return;
  auto Edge = [&](bool Opens, int64_t Time) {
    Out.push_back(
        {"window",
         json::Object{{"open", Opens}, {"at_ns", Time}, {"plan", T.plan()}}});
  };
  Edge(false, 0);
  for (const Window &One : W.List) {
    Edge(true, One.Start);
    if (One.End <= T.end())
      Edge(false, One.End);
  }
  if (W.StepsSeen)
    Out.push_back(
        {"steps", json::Object{{"seen", *W.StepsSeen},
                               {"recorded", W.StepsRecorded.value_or(0)}}});
  if (W.LaunchCost)
    Out.push_back({"launch_cost", json::Object{{"launch_ns", *W.LaunchCost}}});
}

json::Object callCosts(const CallCosts &Costs) {
  return json::Object{{"launch_ns", Costs.Launch.value_or(0)},
                      {"wait_ns", Costs.Wait.value_or(0)}};
}

/// The part of the trace that is about the program without a recorder.
void addUnrecorded(std::vector<MetadataDocument> &Out, const Timeline &T) {
  if (T.OwnCosts)
    Out.push_back(
        {"recorder_cost",
         json::Object{{"unrecorded", callCosts(T.OwnCosts->Unrecorded)},
                      {"recorded", callCosts(T.OwnCosts->Recorded)}}});
  if (llvm::Expected<json::Value> Machine = json::parse(T.Constants))
    if (json::Object *O = Machine->getAsObject())
      Out.push_back({"machine", std::move(*O)});
}

} // namespace

static std::string escape(const std::string &Text) {
  std::string Result;
  for (char C : Text)
    Result += C == '|' || C == ';' || C == '%'
                  ? "%" + llvm::utohexstr(uint8_t(C), false, 2)
                  : std::string(1, C);
  return Result;
}

MetadataDocument autoprof::trace::siteTable(const std::vector<Site> &Sites,
                                            const Process &Info) {
  std::string Rows;
  for (const Site &S : Sites)
    if (S.Id)
      Rows += llvm::formatv("{0:x}|{1}|{2}|{3}|{4}|{5}|{6};", S.Id, S.Kind,
                            S.Line, S.Column, escape(S.File),
                            escape(S.Function), escape(S.Callee));
  // Any ids do: a step is not a place.
  uint64_t Id = 0;
  for (const std::string &Step : Info.NamedSteps)
    Rows += llvm::formatv("{0:x}|step|0|0|||{1};", ++Id, escape(Step));
  if (Info.MarksSteps)
    Rows += llvm::formatv("{0:x}|step|0|0||autoprof_step|range:step;", ++Id);
  return {"sites", json::Object{{"rows", json::fixUTF8(Rows)}}};
}

std::vector<MetadataDocument>
autoprof::trace::metadataAtStart(const Timeline &T) {
  std::vector<MetadataDocument> Result{process(T.Info)};
  for (const Device &D : T.Devices)
    Result.push_back(device(D));
  for (const Queue &Q : T.Queues)
    Result.push_back({"stream", json::Object{{"id", Q.Stream},
                                             {"context", Q.Context},
                                             {"device", Q.Device},
                                             {"flag", word(Q.Flag)}}});
  Result.push_back(siteTable(T.Sites, T.Info));
  if (!T.Info.Source.Producer.empty())
    Result.push_back(
        {"origin", json::Object{{"producer", T.Info.Source.Producer},
                                {"limits", T.Info.Source.Limits}}});
  return Result;
}

std::vector<MetadataDocument>
autoprof::trace::metadataAtEnd(const Timeline &T) {
  const Loss &L = T.Lost;
  std::vector<MetadataDocument> Result{
      {"loss", json::Object{{"cupti_dropped", L.CuptiDropped},
                            {"probes_dropped", L.ProbesDropped},
                            {"zero_timestamps", L.ZeroTimestamps},
                            {"buffers_refused", L.BuffersRefused},
                            {"write_errors", L.WriteErrors},
                            {"probes_unbalanced", L.ProbesUnbalanced},
                            {"stacks_dropped", L.StacksDropped}}}};
  for (const ThrottledRange &R : T.Throttled)
    Result.push_back(
        {"throttled",
         json::Object{{"id", llvm::formatv("{0:x}", T.Sites[R.Site].Id).str()},
                      {"runs", R.Runs},
                      {"ns", R.Time}}});
  addWindows(Result, T);
  addUnrecorded(Result, T);
  if (!T.Info.EndReason.empty()) {
    json::Object End{{"reason", T.Info.EndReason}};
    if (T.Info.Wall)
      End["wall_ns"] = *T.Info.Wall;
    Result.push_back({"end", std::move(End)});
  }
  return Result;
}
