// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two GPUs. The work before a call runs on the measured GPU; the other one is
// idle.
#include "calibrate/Bench.h"
#include "calibrate/CaseFiles.h"

#include <cuda_runtime_api.h>

using namespace autoprof::calibrate;
using namespace autoprof::catalogue;
using namespace autoprof::catalogue::values;
using M = Bench::Memory;

namespace {

/// 64 MiB on the other GPU, and a stream there; kept.
struct OtherGpu {
  void *Buffer = nullptr;
  cudaStream_t Stream = nullptr;
};
const OtherGpu &other(const Bench &B) {
  static const OtherGpu O = [&] {
    OtherGpu New;
    CALL(cudaSetDevice)(B.OtherDevice);
    CALL(cudaMalloc)(&New.Buffer, 64 * MiB);
    CALL(cudaStreamCreateWithFlags)(&New.Stream, cudaStreamNonBlocking);
    CALL(cudaSetDevice)(B.Device);
    return New;
  }();
  return O;
}

/// Each GPU may read the other's memory while this lives, or neither may,
/// whatever a library did before.
class Access {
public:
  Access(const Bench &B, bool Wanted) : B(B) {
    if (Wanted)
      both([](int Peer) { CALL(cudaDeviceEnablePeerAccess)(Peer, 0); });
    else
      disable();
  }
  ~Access() { disable(); }
  Access(const Access &) = delete;
  Access &operator=(const Access &) = delete;

private:
  void disable() {
    both([](int Peer) { CALL(cudaDeviceDisablePeerAccess)(Peer); });
  }
  void both(void (*Change)(int)) {
    CALL(cudaSetDevice)(B.OtherDevice);
    Change(B.Device);
    CALL(cudaSetDevice)(B.Device);
    Change(B.OtherDevice);
  }
  const Bench &B;
};

void addPeerCopies(Cases &C, size_t Bytes, bool Direct, bool FromBusy) {
  std::string Arguments =
      std::string(FromBusy ? "from the busy GPU, " : "to the busy GPU, ") +
      (Direct ? "peer access, " : "no peer access, ") + sizeText(Bytes);
  auto Sides = [FromBusy](Bench &B) {
    void *Here = B.buffer(M::Device), *There = other(B).Buffer;
    return FromBusy ? std::pair(Here, There) : std::pair(There, Here);
  };
  C.add("cudaMemcpyPeer", Arguments, direction(PtoP) & size(sizeOf(Bytes)),
        [=](Bench &B) {
          auto [From, To] = Sides(B);
          int Source = FromBusy ? B.Device : B.OtherDevice;
          int Target = FromBusy ? B.OtherDevice : B.Device;
          Access A(B, Direct);
          B.time([&, From = From, To = To] {
            CALL(cudaMemcpyPeer)(To, Target, From, Source, Bytes);
          });
        })
      .Gpus = 2;
  C.add("cudaMemcpyPeerAsync", Arguments, direction(PtoP) & size(sizeOf(Bytes)),
        [=](Bench &B) {
          auto [From, To] = Sides(B);
          int Source = FromBusy ? B.Device : B.OtherDevice;
          int Target = FromBusy ? B.OtherDevice : B.Device;
          Access A(B, Direct);
          B.time([&, From = From, To = To] {
            CALL(cudaMemcpyPeerAsync)(To, Target, From, Source, Bytes,
                                      B.OwnStream);
          });
        })
      .Gpus = 2;
  C.add("cudaMemcpy", "between GPUs, " + Arguments,
        direction(PtoP) & size(sizeOf(Bytes)),
        [=](Bench &B) {
          auto [From, To] = Sides(B);
          Access A(B, Direct);
          B.time([&, From = From, To = To] {
            CALL(cudaMemcpy)(To, From, Bytes, cudaMemcpyDefault);
          });
        })
      .Gpus = 2;
}

/// Whether work on one GPU is waited for by calls for another.
void addOtherGpu(Cases &C) {
  auto Add = [&C](const char *Call, const char *Arguments, Facts Known,
                  void (*Body)(Bench &)) {
    Case &New = C.add(Call, Arguments, Known, Body);
    New.Gpus = 2;
    New.Foreign = {"gpu", "NotTheBusyOne"};
  };
  Add("cudaMemcpy", "to another GPU than the busy one, pageable, 4 KiB",
      direction(HtoD) & source(Pageable) & size(UpTo1MiB), [](Bench &B) {
        const OtherGpu &O = other(B);
        void *From = B.buffer(M::Pageable);
        CALL(cudaSetDevice)(B.OtherDevice);
        B.time([&] {
          CALL(cudaMemcpy)(O.Buffer, From, 4 * KiB, cudaMemcpyHostToDevice);
        });
        CALL(cudaSetDevice)(B.Device);
      });
  Add("cudaFree", "on another GPU than the busy one, 1 MiB",
      destination(values::Device), [](Bench &B) {
        void *P = nullptr;
        CALL(cudaSetDevice)(B.OtherDevice);
        CALL(cudaMalloc)(&P, MiB);
        B.time([&] { CALL(cudaFree)(P); });
        CALL(cudaSetDevice)(B.Device);
      });
  Add("cudaDeviceSynchronize", "of another GPU than the busy one", Facts(),
      [](Bench &B) {
        CALL(cudaSetDevice)(B.OtherDevice);
        B.time([&] { CALL(cudaDeviceSynchronize)(); });
        CALL(cudaSetDevice)(B.Device);
      });
}

void addAccess(Cases &C) {
  C.add("cudaDeviceEnablePeerAccess", "", Facts(), [](Bench &B) {
     other(B);
     Access None(B, false);
     B.time([&] { CALL(cudaDeviceEnablePeerAccess)(B.OtherDevice, 0); });
   }).Gpus = 2;
  C.add("cudaDeviceDisablePeerAccess", "", Facts(), [](Bench &B) {
     other(B);
     Access Both(B, true);
     B.time([&] { CALL(cudaDeviceDisablePeerAccess)(B.OtherDevice); });
   }).Gpus = 2;
}

} // namespace

void autoprof::calibrate::addPeers(Cases &C) {
  for (size_t Bytes : {4 * KiB, 64 * MiB})
    for (bool Direct : {false, true})
      for (bool FromBusy : {false, true})
        addPeerCopies(C, Bytes, Direct, FromBusy);
  addOtherGpu(C);
  addAccess(C);
}
