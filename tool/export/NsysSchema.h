// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of an export of Nsight Systems as far as autoprof fills them, by
// the names that its documentation gives them (schema 3; see
// docs.nvidia.com/nsight-systems/UserGuide, "SQLite schema reference").
#ifndef AUTOPROF_EXPORT_NSYSSCHEMA_H
#define AUTOPROF_EXPORT_NSYSSCHEMA_H

namespace autoprof::exports {

struct NsysTable {
  const char *Name, *Columns;
};

/// The first columns of all GPU operations.
#define AUTOPROF_NSYS_OPERATION                                                \
  "start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, "          \
  "streamId INTEGER, correlationId INTEGER, globalPid INTEGER, "

constexpr NsysTable NsysTables[] = {
    {"StringIds", "id INTEGER PRIMARY KEY, value TEXT"},
    {"META_DATA_EXPORT", "name TEXT, value TEXT"},
    {"PROCESSES", "globalPid INTEGER, pid INTEGER, name TEXT"},
    {"ThreadNames", "nameId INTEGER, priority INTEGER, globalTid INTEGER"},
    {"TARGET_INFO_GPU",
     "id INTEGER, name TEXT, smCount INTEGER, totalMemory INTEGER, "
     "computeMajor INTEGER, computeMinor INTEGER, maxWarpsPerSm INTEGER, "
     "maxBlocksPerSm INTEGER, maxRegistersPerSm INTEGER, "
     "maxShmemPerSm INTEGER"},
    {"TARGET_INFO_SESSION_START_TIME", "utcEpochNs INTEGER"},
    {"TARGET_INFO_CUDA_DEVICE", "gpuId INTEGER, cudaId INTEGER, pid INTEGER"},
    {"TARGET_INFO_CUDA_STREAM",
     "streamId INTEGER, hwId INTEGER, vmId INTEGER, processId INTEGER, "
     "contextId INTEGER, priority INTEGER, flag INTEGER"},
    {"CUPTI_ACTIVITY_KIND_RUNTIME",
     "start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, "
     "correlationId INTEGER, nameId INTEGER, returnValue INTEGER, "
     "callchainId INTEGER"},
    {"CUPTI_ACTIVITY_KIND_KERNEL", AUTOPROF_NSYS_OPERATION
     "demangledName INTEGER, shortName INTEGER, mangledName INTEGER, "
     "registersPerThread INTEGER, gridX INTEGER, gridY INTEGER, "
     "gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER, "
     "staticSharedMemory INTEGER, dynamicSharedMemory INTEGER, "
     "graphNodeId INTEGER"},
    {"CUPTI_ACTIVITY_KIND_MEMCPY",
     AUTOPROF_NSYS_OPERATION "bytes INTEGER, copyKind INTEGER, "
                             "srcKind INTEGER, dstKind INTEGER"},
    {"CUPTI_ACTIVITY_KIND_MEMSET",
     AUTOPROF_NSYS_OPERATION "value INTEGER, bytes INTEGER, memKind INTEGER"},
    {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
     AUTOPROF_NSYS_OPERATION "graphId INTEGER, graphExecId INTEGER"},
    {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
     AUTOPROF_NSYS_OPERATION "syncType INTEGER, eventId INTEGER"},
    {"CUPTI_ACTIVITY_KIND_OVERHEAD",
     "start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, "
     "correlationId INTEGER, nameId INTEGER, overheadType INTEGER"},
    {"NVTX_EVENTS",
     "start INTEGER, end INTEGER, eventType INTEGER, rangeId INTEGER, "
     "category INTEGER, color INTEGER, text TEXT, globalTid INTEGER, "
     "endGlobalTid INTEGER, textId INTEGER, domainId INTEGER, "
     "uint64Value INTEGER, jsonText TEXT"},
    {"AUTOPROF_METADATA", "name TEXT, json TEXT"},
};

/// The numbers that the tables use.
struct NsysEnum {
  const char *Table;
  int Id;
  const char *Name, *Label;
};

constexpr NsysEnum NsysEnums[] = {
    {"ENUM_CUDA_MEMCPY_OPER", 0, "CUDA_MEMCPY_KIND_UNKNOWN", "Unknown"},
    {"ENUM_CUDA_MEMCPY_OPER", 1, "CUDA_MEMCPY_KIND_HTOD", "Host-to-Device"},
    {"ENUM_CUDA_MEMCPY_OPER", 2, "CUDA_MEMCPY_KIND_DTOH", "Device-to-Host"},
    {"ENUM_CUDA_MEMCPY_OPER", 8, "CUDA_MEMCPY_KIND_DTOD", "Device-to-Device"},
    {"ENUM_CUDA_MEMCPY_OPER", 9, "CUDA_MEMCPY_KIND_HTOH", "Host-to-Host"},
    {"ENUM_CUDA_MEMCPY_OPER", 10, "CUDA_MEMCPY_KIND_PTOP", "Peer-to-Peer"},
    {"ENUM_CUDA_MEM_KIND", 0, "CUDA_MEMOPR_MEMORY_KIND_PAGEABLE", "Pageable"},
    {"ENUM_CUDA_MEM_KIND", 1, "CUDA_MEMOPR_MEMORY_KIND_PINNED", "Pinned"},
    {"ENUM_CUDA_MEM_KIND", 2, "CUDA_MEMOPR_MEMORY_KIND_DEVICE", "Device"},
    {"ENUM_CUDA_MEM_KIND", 4, "CUDA_MEMOPR_MEMORY_KIND_MANAGED", "Managed"},
    {"ENUM_CUPTI_STREAM_TYPE", 0, "CUPTI_ACTIVITY_STREAM_CREATE_FLAG_UNKNOWN",
     "Unknown stream type"},
    {"ENUM_CUPTI_STREAM_TYPE", 1, "CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT",
     "Default stream"},
    {"ENUM_CUPTI_STREAM_TYPE", 2,
     "CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING", "Non-blocking stream"},
    {"ENUM_CUPTI_STREAM_TYPE", 3, "CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL",
     "Null stream"},
    {"ENUM_CUPTI_SYNC_TYPE", 1,
     "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE", "Event sync"},
    {"ENUM_CUPTI_SYNC_TYPE", 2,
     "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT",
     "Stream wait sync"},
    {"ENUM_CUPTI_SYNC_TYPE", 3,
     "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE", "Stream sync"},
    {"ENUM_CUPTI_SYNC_TYPE", 4,
     "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE", "Context sync"},
    {"ENUM_CUPTI_OVERHEAD_TYPE", 1, "OVERHEAD_UNKNOWN", "Unknown"},
    {"ENUM_CUPTI_OVERHEAD_TYPE", 4, "OVERHEAD_CUPTI_INSTRUMENTATION",
     "Instrumentation (Profiler)"},
    {"ENUM_CUPTI_OVERHEAD_TYPE", 7, "OVERHEAD_LAZY_FUNCTION_LOADING",
     "Lazy function loading (CUDA)"},
    {"ENUM_CUPTI_OVERHEAD_TYPE", 8, "OVERHEAD_COMMAND_BUFFER_FULL",
     "Command buffer full (CUDA)"},
    {"ENUM_NSYS_EVENT_TYPE", 59, "NvtxPushPopRange", "NvtxPushPopRange"},
    {"ENUM_NSYS_EVENT_TYPE", 60, "NvtxStartEndRange", "NvtxStartEndRange"},
    {"ENUM_NSYS_EVENT_TYPE", 75, "NvtxDomainCreate", "NvtxDomainCreate"},
    {"ENUM_NSYS_EVENT_CLASS", 0, "TRACE_PROCESS_EVENT_CUDA_RUNTIME",
     "CUDA runtime"},
    {"ENUM_NSYS_EVENT_CLASS", 1, "TRACE_PROCESS_EVENT_CUDA_DRIVER",
     "CUDA driver"},
};

} // namespace autoprof::exports

#endif // AUTOPROF_EXPORT_NSYSSCHEMA_H
