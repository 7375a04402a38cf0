// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Has cases measured by worker processes (Worker.h). A case in which the worker
// crashes or hangs becomes an observation with an error, and another worker
// continues after it.
#ifndef AUTOPROF_CALIBRATE_SUPERVISOR_H
#define AUTOPROF_CALIBRATE_SUPERVISOR_H

#include "calibrate/Case.h"
#include "catalogue/Semantics.h"

#include "llvm/Support/Error.h"

#include <csignal>
#include <functional>

namespace autoprof::calibrate {

struct Plan {
  /// The program to run as the worker: this one, except in tests.
  std::string Program = "/proc/self/exe";
  int Device = 0;
  std::vector<unsigned> Cases; ///< Positions in allCases().All.
  int CaseLimitMs = 30'000;
  /// The folder of the sources that nvcc is to compile.
  std::string Sources;
  /// Called with the case that comes next.
  std::function<void(unsigned Done, const Case &Next)> Progress;
  /// Becomes true when the user interrupts.
  const volatile std::sig_atomic_t *Interrupt = nullptr;
};

/// An error is one sentence: no GPU, or the user interrupted it, or the GPU
/// does not come back.
llvm::Expected<catalogue::Semantics> measure(const Plan &P);

} // namespace autoprof::calibrate

#endif // AUTOPROF_CALIBRATE_SUPERVISOR_H
