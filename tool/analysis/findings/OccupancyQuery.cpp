// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/findings/Scene.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::analysis;

static bool isQuery(llvm::StringRef Call) {
  return Call.starts_with("cudaOccupancy") || Call.starts_with("cuOccupancy") ||
         Call == "cudaFuncGetAttributes" || Call == "cuFuncGetAttribute" ||
         Call == "cudaGetDeviceProperties";
}

void autoprof::analysis::findOccupancyQuery(const Scene &S,
                                            std::vector<Finding> &Found) {
  // While the GPU has work they cost nothing.
  if (!S.InSteps || 20 * S.starved() < S.Span)
    return;
  const trace::HostEvents &H = S.T.Host;
  std::vector<int64_t> Done(S.T.Threads.size(), INT64_MIN);
  uint64_t Count = 0;
  int64_t Time = 0;
  uint32_t Longest = trace::None;
  for (uint32_t I = 0; I < H.size(); ++I) {
    if (!H.isCall(I) || H.Start[I] < S.Host.Start || H.End[I] > S.Host.End ||
        H.Start[I] < Done[H.Thread[I]] || !isQuery(S.T.Strings[H.Name[I]]))
      continue;
    Done[H.Thread[I]] = H.End[I]; // What lies inside is part of it.
    ++Count;
    Time += H.End[I] - H.Start[I];
    if (Longest == trace::None ||
        H.End[I] - H.Start[I] > H.End[Longest] - H.Start[Longest])
      Longest = I;
  }
  if (Count < S.Steps || 100 * Time < S.HostTime)
    return;
  const bool One = S.isOne(Count);
  Finding F;
  F.Severity = Severity::Warning;
  F.Message = fmt::format(
      "{} such as {} {} properties of a kernel or device and {} {} of the "
      "CPU's time in the steps, while the GPU lacks work {} of its time.",
      S.perStep(Count, "call", "calls"), S.T.Strings[H.Name[Longest]].str(),
      One ? "queries" : "query", One ? "takes" : "take",
      percent(double(Time), double(S.HostTime)),
      percent(double(S.starved()), double(S.Span)));
  F.Advice = "Query once per kernel and keep the result.";
  F.Doubt = "A library may make the query; if so, keep its handle or plan for "
            "all steps.";
  F.Evidence = llvm::json::Object{{"count", int64_t(Count)},
                                  {"calls_ns", Time},
                                  {"starved_ns", S.starved()}};
  F.Cost = std::min(Time, S.starved());
  Found.push_back(std::move(F));
}
