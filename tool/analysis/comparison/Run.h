// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is kept of one recorded process when several are compared, so that not
// all of their traces need to be in memory at once.
#pragma once

#include "analysis/result/Result.h"

namespace autoprof::analysis {

/// Times in ns.
struct RunSummary {
  std::string Path; ///< As the user gave it.
  trace::Process Info;
  std::vector<std::string> Devices; ///< Names of the GPUs used.
  Result R; ///< Without what is kept for timelines: single waits and gaps.
  /// The program's whole table, places that never ran included.
  std::vector<trace::Site> Table;
  std::vector<std::string> Caveats; ///< What the trace lacks.
  uint64_t FileBytes = 0;
  bool CutOff = false;  ///< The end of the run is, or may be, missing.
  bool Limited = false; ///< Only a part of the run was to be recorded.
};

/// All but the caveats.
RunSummary summarise(llvm::StringRef Path, const trace::Timeline &T,
                     const Result &R);

} // namespace autoprof::analysis
