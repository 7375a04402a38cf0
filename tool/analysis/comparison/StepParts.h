// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the steps that count contain, for comparing two recordings: the waits of
// each site, the GPU time of each kernel, the host time of each range.
//
// Each is kept not as one number but as a sample: the mean over each of up to
// 20 batches of consecutive steps. Steps of one run depend on each other
// (clocks drift, allocators fill, every tenth step writes a file), and means of
// batches that are longer than this dependence do not: the method of batch
// means (Law, Simulation Modeling and Analysis, 9.5.3; Schmeiser, Oper. Res. 30
// (1982), for why 10 to 30 batches suffice). It also bounds the memory.
#ifndef AUTOPROF_ANALYSIS_COMPARISON_STEPPARTS_H
#define AUTOPROF_ANALYSIS_COMPARISON_STEPPARTS_H

#include "analysis/result/Result.h"

namespace autoprof::analysis {

/// ns per step: the mean over the steps of each batch.
using BatchMeans = std::vector<double>;

struct SitePart {
  BatchMeans Wait, Exposed;
};

struct StepPart {
  std::string Name;            ///< Kernels, copies and sets: the name.
  uint32_t Site = trace::None; ///< Ranges: into Timeline::Sites.
  uint64_t Count = 0;          ///< In all steps that count.
  BatchMeans Time;
  bool IsNumbered = false; ///< Several ranges, joined (see NumberedRanges).
};

struct StepParts {
  size_t Batches = 0;          ///< 0: no steps, or none that is a batch apart.
  std::vector<SitePart> Sites; ///< For each of Result::Sites.
  /// By name; known where step times are the GPU's: an operation belongs to
  /// the step in whose time it ended.
  std::vector<StepPart> Kernels;
  /// By site; a range belongs to the step that it began in. The steps' own
  /// range is not among them.
  std::vector<StepPart> Ranges;
};

StepParts findStepParts(const trace::Timeline &T, const Result &R);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_COMPARISON_STEPPARTS_H
