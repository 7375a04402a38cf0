// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/findings/Scene.h"
#include "analysis/transfers/Transfers.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

/// Copies of a size that matters, and how long they ran, at most, while no
/// kernel did.
struct Transfers {
  uint64_t Count = 0, Bytes = 0, Pageable = 0;
  int64_t Exposed = 0;
};

Transfers collect(const Scene &S) {
  Transfers Sum;
  for (uint32_t Op : S.Ops) {
    const trace::Stage &Copy = S.stage(Op);
    if (!isTransfer(Copy) || Copy.Bytes < SmallTransfer)
      continue;
    ++Sum.Count;
    Sum.Bytes += Copy.Bytes;
    Sum.Pageable += hostMemory(Copy) == trace::MemoryKind::Pageable;
    Sum.Exposed += S.T.Ops.End[Op] - S.T.Ops.Start[Op];
  }
  Sum.Exposed = std::min(Sum.Exposed, S.R.Used.part(Work::Copy));
  return Sum;
}

} // namespace

void autoprof::analysis::findExposedTransfer(const Scene &S,
                                             std::vector<Finding> &Found) {
  Transfers T = collect(S);
  // There must be kernels to overlap with.
  int64_t Kernels = S.R.Used.part(Work::Compute);
  if (20 * T.Exposed < S.Span || 20 * Kernels < S.Span)
    return;
  bool Pageable = 2 * T.Pageable > T.Count;
  Finding F;
  F.Severity = Severity::Warning;
  F.Message = fmt::format(
      "Copies between host and device ({}, {} in total{}) take {} while no "
      "kernel runs.",
      S.InSteps
          ? fmt::format("{:.3g} per step", double(T.Count) / double(S.Steps))
          : count(T.Count),
      bytes(T.Bytes),
      T.Pageable == T.Count ? ", pageable memory"
      : Pageable            ? ", mostly pageable memory"
                            : "",
      S.share(T.Exposed));
  F.Advice = std::string(
                 Pageable ? "Pin the host's memory (cudaMallocHost), then copy "
                          : "Copy ") +
             "on a separate stream while the kernels of the previous step run, "
             "with an event for the kernels that need the data.";
  F.Doubt = "The trace does not show whether the data is available that early "
            "or may arrive that late.";
  F.Evidence = llvm::json::Object{{"count", int64_t(T.Count)},
                                  {"pageable", int64_t(T.Pageable)},
                                  {"bytes", int64_t(T.Bytes)},
                                  {"exposed_ns", T.Exposed},
                                  {"kernels_ns", Kernels}};
  F.Cost = std::min(T.Exposed, Kernels);
  Found.push_back(std::move(F));
}
