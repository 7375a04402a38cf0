// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a process has no GPU work to record. A message is printed only if the
// user would miss something: a launcher that links CUDA, forks, and never uses
// CUDA itself gets none.
#ifndef AUTOPROF_RUNTIME_CUPTI_MISSING_H
#define AUTOPROF_RUNTIME_CUPTI_MISSING_H

#include "runtime/cupti/Cupti.h"

#include <string>

namespace autoprof::runtime {

struct Attempt {
  CuptiStatus Cupti; ///< The current status.
  /// A recording began: a probe was hit, or the driver injected us.
  bool Recorded = false;
  bool Instrumented = false; ///< A module has probes.
  bool WasReady = false;     ///< CUDA was seen ready, with a GPU.
};

/// Returns a clause that explains why GPU work is missing; "" if none is
/// missing or this was reported before. To be called at the end of the process,
/// when the answer is final.
std::string explainMissingCuda(const Attempt &Done);

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_CUPTI_MISSING_H
