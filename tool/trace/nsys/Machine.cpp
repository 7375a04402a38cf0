// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/nsys/Machine.h"

#include <map>

using namespace autoprof::trace;

llvm::Error nsys::readStreamFlags(Database &D, int64_t Pid,
                                  const NsysEnums &Enums,
                                  std::vector<Queue> &Queues) {
  auto Set = [&](const DatabaseRow &Row, StreamFlag Flag) {
    if (Row.isNull(0) || Row.number(2) != Pid || Flag == StreamFlag::Unknown)
      return;
    for (Queue &Q : Queues)
      if (Q.Stream == uint32_t(Row.number(0)) &&
          Q.Context == uint32_t(Row.number(1)))
        Q.Flag = Flag;
  };
  if (llvm::Error E = D.forEach("TARGET_INFO_CUDA_STREAM",
                                {"streamId", "contextId", "processId", "flag"},
                                [&](const DatabaseRow &Row) {
                                  Set(Row, Enums.stream(Row.number(3)));
                                }))
    return E;
  // Of each context the default stream, which the first table may lack.
  for (auto [Table, Stream] :
       {std::pair("TARGET_INFO_CUDA_CONTEXT_INFO", "nullStreamId"),
        {"TARGET_INFO_CUDA_NULL_STREAM", "streamId"}})
    if (llvm::Error E = D.forEach(
            Table, {Stream, "contextId", "processId"},
            [&](const DatabaseRow &Row) { Set(Row, StreamFlag::Null); }))
      return E;
  return llvm::Error::success();
}

llvm::Error nsys::readDevices(Database &D, int64_t Pid, Timeline &Out) {
  // A process may see the machine's GPUs under other numbers.
  std::map<int64_t, int64_t> GpuOf;
  if (llvm::Error E =
          D.forEach("TARGET_INFO_CUDA_DEVICE", {"cudaId", "gpuId", "pid"},
                    [&](const DatabaseRow &Row) {
                      if (Row.isNull(2) || Row.number(2) == Pid)
                        GpuOf[Row.number(0)] = Row.number(1);
                    }))
    return E;
  std::map<int64_t, Device> Gpus;
  if (llvm::Error E =
          D.forEach("TARGET_INFO_GPU",
                    {"id", "name", "computeMajor", "computeMinor", "smCount",
                     "totalMemory", "maxWarpsPerSm", "maxBlocksPerSm",
                     "maxRegistersPerSm", "maxShmemPerSm"},
                    [&](const DatabaseRow &Row) {
                      auto Small = [&Row](int Column) {
                        return uint32_t(Row.number(Column));
                      };
                      Gpus[Row.number(0)] = {0,        Row.text(1).str(),
                                             Small(2), Small(3),
                                             Small(4), uint64_t(Row.number(5)),
                                             Small(6), Small(7),
                                             Small(8), Small(9)};
                    }))
    return E;
  std::map<uint32_t, Device> Used;
  for (const Queue &Q : Out.Queues) {
    auto Number = GpuOf.find(Q.Device);
    Device &Described = Used[Q.Device] =
        Gpus[Number == GpuOf.end() ? Q.Device : Number->second];
    Described.Id = Q.Device;
  }
  for (const auto &[Id, Described] : Used)
    Out.Devices.push_back(Described);
  return llvm::Error::success();
}

llvm::Error nsys::readStart(Database &D, std::optional<int64_t> &Epoch) {
  return D.forEach(
      "TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"},
      [&Epoch](const DatabaseRow &Row) { Epoch = Row.optionalNumber(0); });
}
