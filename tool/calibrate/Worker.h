// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The process that measures. It opens NVIDIA's libraries, which may hang or
// crash; the supervisor (Supervisor.h) outlives that.
#ifndef AUTOPROF_CALIBRATE_WORKER_H
#define AUTOPROF_CALIBRATE_WORKER_H

#include <string>

namespace autoprof::calibrate {

/// Reads numbers of cases (positions in allCases()) from `Requests`, one per
/// line, and writes to `Replies` first a line about the machine, then one for
/// each case, until the requests end. `CompiledFolder`: Bench::CompiledFolder.
/// Returns an exit code.
int work(int Device, const std::string &CompiledFolder, int Requests,
         int Replies);

} // namespace autoprof::calibrate

#endif // AUTOPROF_CALIBRATE_WORKER_H
