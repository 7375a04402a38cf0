// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NCCL with one rank, and with two in this process where there are two GPUs.
#include "calibrate/Bench.h"
#include "calibrate/CaseFiles.h"

#if __has_include(<nccl.h>)
#include <nccl.h>

using namespace autoprof::calibrate;
using namespace autoprof::catalogue;
using namespace autoprof::catalogue::values;
using M = Bench::Memory;

namespace {

constexpr size_t N = 4096;

ncclComm_t newCommunicator(const Bench &B) {
  ncclComm_t C = nullptr;
  CALL(ncclCommInitAll)(&C, 1, &B.Device);
  return C;
}

/// Kept.
ncclComm_t communicator(const Bench &B) {
  static ncclComm_t C = newCommunicator(B);
  return C;
}

void allReduce(Bench &B, ncclComm_t C) {
  // One rank has nothing to do when it is in place.
  CALL(ncclAllReduce)(B.buffer(M::Device), B.buffer(M::Device, 1), N, ncclFloat,
                      ncclSum, C, B.OwnStream);
}

void addOneRank(Cases &C) {
  C.add("ncclCommInitAll", "one rank", Facts(), [](Bench &B) {
    ncclComm_t Comm = nullptr;
    B.time([&] { CALL(ncclCommInitAll)(&Comm, 1, &B.Device); });
    CALL(ncclCommDestroy)(Comm);
  });
  C.add("ncclAllReduce", "one rank, the first of a communicator", Facts(),
        [](Bench &B) {
          ncclComm_t Comm = newCommunicator(B);
          B.time([&] { allReduce(B, Comm); });
          CALL(ncclCommDestroy)(Comm);
        });
  C.add("ncclAllReduce", "one rank, 4,096 floats", Facts(), [](Bench &B) {
    ncclComm_t Comm = communicator(B);
    B.time([&] { allReduce(B, Comm); });
  });
  C.add("ncclCommFinalize", "after work", Facts(), [](Bench &B) {
    ncclComm_t Comm = newCommunicator(B);
    B.time([&] { CALL(ncclCommFinalize)(Comm); }, [&] { allReduce(B, Comm); });
    CALL(ncclCommDestroy)(Comm);
  });
  C.add("ncclCommDestroy", "behind an ncclAllReduce", Facts(), [](Bench &B) {
    ncclComm_t Comm = newCommunicator(B);
    B.time([&] { CALL(ncclCommDestroy)(Comm); }, [&] { allReduce(B, Comm); });
  });
  C.add("ncclCommAbort", "behind an ncclAllReduce", Facts(), [](Bench &B) {
    ncclComm_t Comm = newCommunicator(B);
    B.time([&] { CALL(ncclCommAbort)(Comm); }, [&] { allReduce(B, Comm); });
  });
  C.add("ncclMemAlloc", "1 MiB", Facts(), [](Bench &B) {
    void *P = nullptr;
    B.time([&] { CALL(ncclMemAlloc)(&P, MiB); });
    CALL(ncclMemFree)(P);
  });
  C.add("ncclMemFree", "1 MiB", Facts(), [](Bench &B) {
    void *P = nullptr;
    CALL(ncclMemAlloc)(&P, MiB);
    B.time([&] { CALL(ncclMemFree)(P); });
  });
}

/// Two ranks in this process; kept.
struct Pair {
  ncclComm_t Comms[2] = {};
  cudaStream_t Streams[2] = {};
  void *Buffers[2] = {};
  explicit Pair(const Bench &B) {
    int Devices[] = {B.Device, B.OtherDevice};
    CALL(ncclCommInitAll)(Comms, 2, Devices);
    Streams[0] = B.OwnStream;
    for (unsigned I = 0; I < 2; ++I) {
      CALL(cudaSetDevice)(Devices[I]);
      CUdeviceptr P = 0; // cudaMalloc is overloaded in what nccl.h includes.
      CALL(cuMemAlloc)(&P, N * sizeof(float));
      Buffers[I] = reinterpret_cast<void *>(P);
    }
    CALL(cudaStreamCreateWithFlags)(&Streams[1], cudaStreamNonBlocking);
    CALL(cudaSetDevice)(B.Device);
  }
};

void addTwoRanks(Cases &C) {
  C.add("ncclGroupEnd", "of an ncclAllReduce of two ranks", Facts(),
        [](Bench &B) {
          static Pair P(B);
          CALL(ncclGroupStart)();
          for (unsigned I = 0; I < 2; ++I)
            CALL(ncclAllReduce)(P.Buffers[I], P.Buffers[I], N, ncclFloat,
                                ncclSum, P.Comms[I], P.Streams[I]);
          B.time([] { CALL(ncclGroupEnd)(); });
          CALL(cudaStreamSynchronize)(P.Streams[1]);
        })
      .Gpus = 2;
}

} // namespace

void autoprof::calibrate::addNccl(Cases &C) {
  addOneRank(C);
  addTwoRanks(C);
}
#else
void autoprof::calibrate::addNccl(Cases &C) { C.NotBuilt.push_back("nccl"); }
#endif
