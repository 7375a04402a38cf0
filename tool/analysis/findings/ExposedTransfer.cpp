// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/findings/Scene.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

constexpr uint64_t MinBytes = 64 * 1024;

bool isTransfer(const trace::Stage &S) {
  return S.Kind == trace::OpKind::Copy && S.Bytes >= MinBytes &&
         (S.Dir == trace::Direction::HtoD || S.Dir == trace::Direction::DtoH);
}

bool isPageable(const trace::Stage &S) {
  return S.Source == trace::MemoryKind::Pageable ||
         S.Destination == trace::MemoryKind::Pageable;
}

/// Copies of a size that matters, and how long they ran without an overlapping
/// kernel.
struct Transfers {
  uint64_t Count = 0, Bytes = 0, Pageable = 0;
  int64_t Exposed = 0;
};

/// Until when kernels and transfers of one device have run.
struct Covered {
  int64_t Kernels = 0, Transfers = 0; ///< ns, ends.
};

// By start: a transfer's time is exposed from where kernels and transfers that
// began earlier have ended. A kernel that begins during it takes the rest back.
Transfers collect(const Scene &S) {
  Transfers Sum;
  std::vector<Covered> Devices(S.T.Devices.size());
  for (uint32_t Op : S.Ops) {
    Covered &D = Devices[S.Fits.device(Op)];
    int64_t Start = S.T.Ops.Start[Op], End = S.T.Ops.End[Op];
    if (isTransfer(S.stage(Op))) {
      ++Sum.Count;
      Sum.Bytes += S.stage(Op).Bytes;
      Sum.Pageable += isPageable(S.stage(Op));
      int64_t From = std::max({Start, D.Kernels, D.Transfers});
      Sum.Exposed += std::max<int64_t>(0, End - From);
      D.Transfers = std::max(D.Transfers, End);
    } else if (S.work(Op) == Work::Compute) {
      int64_t From = std::max(Start, D.Kernels);
      Sum.Exposed -= std::max<int64_t>(0, std::min(D.Transfers, End) - From);
      D.Kernels = std::max(D.Kernels, End);
    }
  }
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
  F.Message =
      fmt::format("{} between host and device ({} in total{}) {} {} "
                  "while no kernel runs.",
                  S.perStep(T.Count, "copy", "copies"), bytes(T.Bytes),
                  T.Pageable == T.Count ? ", pageable memory"
                  : Pageable            ? ", mostly pageable memory"
                                        : "",
                  S.isOne(T.Count) ? "takes" : "take", S.share(T.Exposed));
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
