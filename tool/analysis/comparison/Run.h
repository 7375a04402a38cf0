// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is kept of one recorded process when several are compared, so that not
// all of their traces need to be in memory at once.
#ifndef AUTOPROF_ANALYSIS_COMPARISON_RUN_H
#define AUTOPROF_ANALYSIS_COMPARISON_RUN_H

#include "analysis/comparison/StepParts.h"
#include "analysis/result/Result.h"

namespace autoprof::analysis {

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
