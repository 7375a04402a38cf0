// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the rules look at: the steps that count, or the whole run where there
// are none.
#ifndef AUTOPROF_ANALYSIS_FINDINGS_SCENE_H
#define AUTOPROF_ANALYSIS_FINDINGS_SCENE_H

#include "analysis/common/Words.h"
#include "analysis/findings/Rules.h"
#include "analysis/profile/Occupancy.h"

namespace autoprof::analysis {

struct Scene {
  Scene(const trace::Timeline &T, const Result &R);

  const trace::Timeline &T;
  const Result &R;
  const bool InSteps;
  const size_t Steps; ///< How many; 1: the run.
  const trace::Window Host, Gpu;
  const int64_t HostTime; ///< ns, as far as it was recorded.
  const int64_t Span;     ///< ns of the GPU, summed over devices in use.
  /// Operations that ended in Gpu, by start.
  const std::vector<uint32_t> Ops;
  const LaunchFits Fits;
  const std::vector<Work> WorkOfStage;

  const trace::Stage &stage(uint32_t Op) const {
    return T.Stages[T.Ops.Stage[Op]];
  }
  bool isKernel(uint32_t Op) const {
    return stage(Op).Kind == trace::OpKind::Kernel;
  }
  llvm::StringRef nameOf(uint32_t Op) const {
    return T.Strings[stage(Op).Name];
  }
  Work work(uint32_t Op) const { return WorkOfStage[T.Ops.Stage[Op]]; }
  /// ns of the operations of one name.
  int64_t time(const KernelRow &Row) const {
    return InSteps ? Row.StepTotal : Row.Total;
  }
  int64_t length(uint32_t Op) const { return T.Ops.End[Op] - T.Ops.Start[Op]; }
  /// Idle time of one cause.
  int64_t idle(Cause C) const;

  /// ns as a share of Span: "12.4 % of the steps' time".
  std::string share(int64_t Ns) const;
  /// The total: "3.2 copies per step", or "64 copies". `Thing`: one of them.
  std::string perStep(uint64_t Count, llvm::StringRef Thing,
                      llvm::StringRef Things) const;
  /// Whether perStep() says "1 copy", which needs the verb's singular.
  bool isOne(uint64_t Count) const;
  llvm::StringRef where() const {
    return InSteps ? "in the steps" : "in the run";
  }
};

#define FINDING(FIND, NAME, PURPOSE)                                           \
  void FIND(const Scene &S, std::vector<Finding> &Found);
#include "analysis/findings/Findings.def"
#undef FINDING

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_FINDINGS_SCENE_H
