// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an expert would point out in a recording, besides its waits: one file
// per rule, all of them listed in Findings.def. The rules look at the scene:
// the steps that count, or the whole run where there are none.
//
// A rule reports nothing unless its figures are clear: each finding costs the
// reader time, and a false one costs trust. What a trace cannot show is stated
// with the finding, as its caveat.
#pragma once

#include "analysis/result/Result.h"
#include "support/Words.h"
#include "trace/timeline/Places.h"

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

  const trace::Stage &stage(uint32_t Op) const {
    return T.Stages[T.Ops.Stage[Op]];
  }
  /// ns as a share of Span: "12.4 % of the steps' time".
  std::string share(int64_t Ns) const;
  llvm::StringRef where() const {
    return InSteps ? "in the steps" : "in the run";
  }
};

#define FINDING(FIND, NAME, PURPOSE)                                           \
  void FIND(const Scene &S, std::vector<Finding> &Found);
#include "analysis/findings/Findings.def"
#undef FINDING

/// Warnings first, then by cost, descending.
std::vector<Finding> findFindings(const trace::Timeline &T, const Result &R);

} // namespace autoprof::analysis
