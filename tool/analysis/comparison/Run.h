// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is kept of one recorded process when several are compared, so that not
// all of their traces need to be in memory at once.
#ifndef AUTOPROF_ANALYSIS_COMPARISON_RUN_H
#define AUTOPROF_ANALYSIS_COMPARISON_RUN_H

#include "analysis/result/Result.h"

namespace autoprof::analysis {

// What the steps that count contain, for comparing two recordings: the waits of
// each site, the GPU time of each kernel, the host time of each range.
//
// Each is kept not as one number but as a sample: the mean over each of up to
// 20 batches of consecutive steps. Steps of one run depend on each other
// (clocks drift, allocators fill, every tenth step writes a file), and means of
// batches that are longer than this dependence do not: the method of batch
// means (Law, Simulation Modeling and Analysis, 9.5.3; Schmeiser, Oper. Res. 30
// (1982), for why 10 to 30 batches suffice). It also bounds the memory.

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

/// What most waits of a site ended with.
struct AwaitedWork {
  std::string Operation; ///< Name of the kernel, or of the kind of copy.
  WaitScope Scope = WaitScope::Operation;
  bool IsDefaultStream = false; ///< The legacy default stream's work.
  size_t Waits = 0, All = 0;    ///< That ended so, and all of the site.

  /// Nearly all: what one wait more or less ends with is often chance.
  bool isUsual() const { return Waits * 10 >= All * 9 && All > 0; }
  bool operator==(const AwaitedWork &B) const {
    return Operation == B.Operation && Scope == B.Scope &&
           IsDefaultStream == B.IsDefaultStream;
  }
};

/// Times in ns.
struct RunSummary {
  std::string Path; ///< As the user gave it.
  trace::Process Info;
  std::vector<std::string> Devices; ///< Names of the GPUs used.
  Result R; ///< Without what is kept for timelines: single waits and gaps.
  std::vector<trace::Site> Places; ///< For each row of R.Sites; Id 0 and no
                                   ///< file without a source line.
  /// For each row of R.Sites: how many steps had begun when it first waited,
  /// or, if it never did, first ran. One more than there are steps: after them.
  std::vector<size_t> FirstIn;
  /// For each row of R.Sites; of sites that never wait Waits is 0.
  std::vector<AwaitedWork> Awaited;
  /// The program's whole table, places that never ran included.
  std::vector<trace::Site> Table;
  StepParts Parts;
  std::vector<std::string> Caveats; ///< What the trace lacks.
  uint64_t FileBytes = 0;
  bool CutOff = false;  ///< The end of the run is, or may be, missing.
  bool Limited = false; ///< Only a part of the run was to be recorded.
};

/// All but the caveats.
RunSummary summarise(llvm::StringRef Path, const trace::Timeline &T,
                     const Result &R);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_COMPARISON_RUN_H
