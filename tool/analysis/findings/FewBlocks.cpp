// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/KernelName.h"
#include "analysis/findings/Scene.h"

#include <fmt/format.h>

#include <map>

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

/// ns. Shorter kernels mostly start and end: more blocks do not help.
constexpr int64_t MinLength = 4'000;

/// Kernels that have blocks for less than half of the multiprocessors, while
/// no other operation ran on the device.
struct Small {
  uint64_t Count = 0;
  int64_t Time = 0;
  double Unused = 0; ///< ns, times the part of the device that was left empty.
  uint32_t Longest = trace::None;
};

void add(const Scene &S, Small &Sum, uint32_t Op) {
  const std::optional<LaunchFit> &Fit = S.Fits.of(Op);
  if (!Fit || Fit->SmEfficiency >= 0.5 || S.length(Op) < MinLength)
    return;
  ++Sum.Count;
  Sum.Time += S.length(Op);
  Sum.Unused += (1 - Fit->SmEfficiency) * double(S.length(Op));
  if (Sum.Longest == trace::None || S.length(Op) > S.length(Sum.Longest))
    Sum.Longest = Op;
}

Small collect(const Scene &S) {
  Small Sum;
  struct Last {
    uint32_t Op = trace::None;
    int64_t Busy = INT64_MIN; ///< Until when operations before Op ran.
  };
  std::vector<Last> Devices(S.T.Devices.size());
  auto Close = [&](const Last &L, int64_t NextStart) {
    if (L.Op != trace::None && S.T.Ops.Start[L.Op] >= L.Busy &&
        S.T.Ops.End[L.Op] <= NextStart)
      add(S, Sum, L.Op);
  };
  for (uint32_t Op : S.Ops) {
    Last &L = Devices[S.Fits.device(Op)];
    Close(L, S.T.Ops.Start[Op]);
    if (L.Op != trace::None)
      L.Busy = std::max(L.Busy, S.T.Ops.End[L.Op]);
    L.Op = Op;
  }
  for (const Last &L : Devices)
    Close(L, INT64_MAX);
  return Sum;
}

} // namespace

void autoprof::analysis::findFewBlocks(const Scene &S,
                                       std::vector<Finding> &Found) {
  Small Sum = collect(S);
  if (20 * Sum.Unused < double(S.Span))
    return;
  uint64_t Blocks = S.stage(Sum.Longest).Shape.blocks();
  uint32_t Sms = S.T.Devices[S.Fits.device(Sum.Longest)].Sms;
  Finding F;
  F.Severity = Severity::Warning;
  F.Message = fmt::format(
      "{} {}, for {}; {} "
      "has {} {} for {} multiprocessors.",
      S.perStep(Sum.Count, "kernel", "kernels"),
      S.isOne(Sum.Count) ? "uses less than half of the device and runs alone"
                         : "use less than half of the device and run alone",
      S.share(Sum.Time), shortName(S.nameOf(Sum.Longest)), count(Blocks),
      Blocks == 1 ? "block" : "blocks", Sms);
  F.Advice = "Split their work into more blocks, give each launch more work, "
             "or run independent kernels concurrently on other streams.";
  F.Doubt = "The trace does not show whether the work can be split.";
  F.Evidence =
      llvm::json::Object{{"count", int64_t(Sum.Count)},
                         {"total_ns", Sum.Time},
                         {"unused_share", Sum.Unused / double(S.Span)},
                         {"kernel", llvm::json::fixUTF8(S.nameOf(Sum.Longest))},
                         {"blocks", int64_t(Blocks)},
                         {"multiprocessors", int64_t(Sms)}};
  F.Cost = int64_t(Sum.Unused);
  Found.push_back(std::move(F));
}
