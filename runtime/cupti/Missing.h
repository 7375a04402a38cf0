// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a process has no GPU work to record. A line is worth its place only
// where the user would miss something: a launcher that links CUDA, forks, and
// never uses it says nothing.
#ifndef AUTOPROF_RUNTIME_CUPTI_MISSING_H
#define AUTOPROF_RUNTIME_CUPTI_MISSING_H

#include "runtime/cupti/Cupti.h"

#include <string>

namespace autoprof::runtime {

struct Attempt {
  CuptiStatus Cupti;     ///< As it stands.
  bool Recorded = false; ///< Something began to be recorded: a probe was hit,
                         ///< or the driver injected us.
  bool Instrumented = false; ///< A module has probes.
  bool WasReady = false;     ///< CUDA was seen with a GPU.
};

/// One clause; "" when nothing is missing or it was said already. Ask it at
/// the end of the process, when it is certain.
std::string explainMissingCuda(const Attempt &Done);

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_CUPTI_MISSING_H
