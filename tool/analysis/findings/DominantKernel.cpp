// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/KernelName.h"
#include "analysis/findings/Scene.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::analysis;

void autoprof::analysis::findDominantKernel(const Scene &S,
                                            std::vector<Finding> &Found) {
  const KernelRow *Top = nullptr;
  int64_t All = 0;
  size_t Names = 0;
  for (const KernelRow &Row : S.R.Kernels) {
    if (Row.Kind != trace::OpKind::Kernel || !S.time(Row))
      continue;
    ++Names;
    All += S.time(Row);
    if (!Top || S.time(Row) > S.time(*Top))
      Top = &Row;
  }
  // One of two kernels always dominates, and if the GPU is idle, kernels are
  // not the problem.
  if (Names < 3 || 2 * S.time(*Top) < All || 2 * S.time(*Top) < S.Span)
    return;
  int64_t Ns = S.time(*Top);
  Finding F;
  F.Message = fmt::format(
      "{} takes {} of the kernels' time and {}: making it twice as fast "
      "would save at most {}.",
      shortName(Top->Name), percent(double(Ns), double(All)), S.share(Ns),
      percent(double(Ns) / 2, double(S.Span)));
  F.Advice =
      "Optimize this kernel first (Nsight Compute shows what limits it).";
  F.Doubt = "autoprof does not look inside kernels: this one may already run "
            "at the device's limit.";
  F.Evidence = llvm::json::Object{{"kernel", llvm::json::fixUTF8(Top->Name)},
                                  {"total_ns", Ns},
                                  {"kernels_share", double(Ns) / double(All)},
                                  {"time_share", double(Ns) / double(S.Span)}};
  F.Cost = Ns / 2;
  Found.push_back(std::move(F));
}
