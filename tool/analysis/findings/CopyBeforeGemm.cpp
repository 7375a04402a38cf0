// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/KernelName.h"
#include "analysis/findings/Scene.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::analysis;

void autoprof::analysis::findCopyBeforeGemm(const Scene &S,
                                            std::vector<Finding> &Found) {
  std::vector<uint32_t> LastOf(S.T.Queues.size(), trace::None);
  uint64_t Count = 0, Bytes = 0;
  int64_t Time = 0;
  uint32_t Gemm = trace::None;
  for (uint32_t Op : S.Ops) {
    uint32_t &Last = LastOf[S.T.Ops.Queue[Op]];
    bool Copied = Last != trace::None &&
                  S.stage(Last).Kind == trace::OpKind::Copy &&
                  S.stage(Last).Dir == trace::Direction::DtoD;
    if (Copied && S.isKernel(Op) && isGemm(S.nameOf(Op))) {
      ++Count;
      Bytes += S.stage(Last).Bytes;
      Time += S.length(Last);
      Gemm = Op;
    }
    Last = Op;
  }
  if (Count < 10 || Count < S.Steps || 100 * Time < S.Span)
    return;
  const bool One = S.isOne(Count);
  Finding F;
  F.Severity = Severity::Warning;
  F.Message = fmt::format(
      "{} on the device ({} each) {} right before matrix products such "
      "as {}, and {} {}.",
      S.perStep(Count, "copy", "copies"), bytes(Bytes / Count),
      One ? "runs" : "run", shortName(S.nameOf(Gemm)), One ? "takes" : "take",
      S.share(Time));
  F.Advice =
      "Let the matrix product read the original data: a leading dimension, a "
      "transposition flag or a stride often replaces the copy.";
  F.Doubt = "The trace does not show the purpose of the copy.";
  F.Evidence =
      llvm::json::Object{{"count", int64_t(Count)},
                         {"bytes", int64_t(Bytes)},
                         {"copies_ns", Time},
                         {"kernel", llvm::json::fixUTF8(S.nameOf(Gemm))}};
  F.Cost = Time;
  Found.push_back(std::move(F));
}
