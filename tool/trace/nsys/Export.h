// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an export of Nsight Systems says apart from its events: which process
// they are of, the machine, and the meanings of numbers.
#pragma once

#include "trace/nsys/Database.h"
#include "trace/timeline/Timeline.h"

#include <map>

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

/// An export holds all processes that were recorded; a Timeline is of one.
struct ChosenProcess {
  int64_t Pid;
  std::string Note; ///< One sentence where there were others; or "".
};

/// `Pid`, or without it the process with the most GPU operations. An error if
/// there is no such process, or none with calls of CUDA.
llvm::Expected<ChosenProcess> chooseProcess(Database &D,
                                            std::optional<int64_t> Pid);

/// Numbers -> what they mean. The export brings tables of its enumerations,
/// whose numbers are not those of CUPTI and have changed; an export without
/// such a table is read by the numbers of 2024.
class Enums {
  using Names = std::map<int64_t, std::string>;
  Names Copies, Memory, Streams, Syncs, Overheads;

  static llvm::StringRef nameOf(const Names &Table, int64_t Number);

public:
  llvm::Error read(Database &D);

  Direction direction(int64_t CopyKind) const;
  /// A page that moved by itself, which no call queued.
  bool isMigration(int64_t CopyKind) const;
  MemoryKind memory(std::optional<int64_t> Kind) const;
  StreamFlag stream(int64_t Flag) const;
  SyncType sync(int64_t Type) const;
  OverheadKind overhead(int64_t Type) const;
};

/// What Nsight Systems itself reports: its errors and warnings, errors first,
/// and without any what else it says about CUDA; at most three.
llvm::Expected<std::vector<std::string>> readDiagnostics(Database &D);

/// Sets the flags of those of `Queues` that the file knows.
llvm::Error readStreamFlags(Database &D, int64_t Pid, const Enums &Enums,
                            std::vector<Queue> &Queues);

/// Adds the GPUs that `Out.Queues` are on.
llvm::Error readDevices(Database &D, int64_t Pid, Timeline &Out);

/// The zero of the file's times, ns since 1970; unchanged if the file does not
/// have it.
llvm::Error readStart(Database &D, std::optional<int64_t> &Epoch);

} // namespace autoprof::trace::nsys
