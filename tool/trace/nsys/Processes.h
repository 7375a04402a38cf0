// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An export of Nsight Systems holds all processes that were recorded; a
// Timeline is of one.
#ifndef AUTOPROF_TRACE_NSYS_PROCESSES_H
#define AUTOPROF_TRACE_NSYS_PROCESSES_H

#include "trace/nsys/Database.h"

namespace autoprof::trace::nsys {

// Tables of the export.
constexpr inline const char *Calls = "CUPTI_ACTIVITY_KIND_RUNTIME",
                            *Kernels = "CUPTI_ACTIVITY_KIND_KERNEL",
                            *Copies = "CUPTI_ACTIVITY_KIND_MEMCPY",
                            *Sets = "CUPTI_ACTIVITY_KIND_MEMSET",
                            *Graphs = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
                            *Syncs = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                            *Overheads = "CUPTI_ACTIVITY_KIND_OVERHEAD",
                            *Nvtx = "NVTX_EVENTS";

/// Nsight Systems packs a process and a thread into one number.
inline int64_t pidOf(int64_t Global) { return (Global >> 24) & 0xFFFFFF; }
inline int64_t tidOf(int64_t Global) { return Global & 0xFFFFFF; }

struct ChosenProcess {
  int64_t Pid;
  std::string Note; ///< One sentence where there were others; or "".
};

/// `Pid`, or without it the process with the most GPU operations. An error if
/// there is no such process, or none with calls of CUDA.
llvm::Expected<ChosenProcess> chooseProcess(Database &D,
                                            std::optional<int64_t> Pid);

} // namespace autoprof::trace::nsys

#endif // AUTOPROF_TRACE_NSYS_PROCESSES_H
