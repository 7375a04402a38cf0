// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an export says about the machine: its GPUs, the streams, the clock.
#ifndef AUTOPROF_TRACE_NSYS_MACHINE_H
#define AUTOPROF_TRACE_NSYS_MACHINE_H

#include "trace/nsys/Enums.h"
#include "trace/timeline/Timeline.h"

namespace autoprof::trace::nsys {

/// Sets the flags of those of `Queues` that the file knows.
llvm::Error readStreamFlags(Database &D, int64_t Pid, const NsysEnums &Enums,
                            std::vector<Queue> &Queues);

/// Adds the GPUs that `Out.Queues` are on.
llvm::Error readDevices(Database &D, int64_t Pid, Timeline &Out);

/// The zero of the file's times, ns since 1970; unchanged if the file does not
/// have it.
llvm::Error readStart(Database &D, std::optional<int64_t> &Epoch);

} // namespace autoprof::trace::nsys

#endif // AUTOPROF_TRACE_NSYS_MACHINE_H
