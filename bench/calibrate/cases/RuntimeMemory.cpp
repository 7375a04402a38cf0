// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocating and freeing with the CUDA runtime, by size and kind; pools, and
// managed memory.
#include "calibrate/Bench.h"
#include "calibrate/CaseFiles.h"

#include <cstdlib>
#include <cstring>
#include <cuda_runtime_api.h>

using namespace autoprof::calibrate;
using namespace autoprof::catalogue;
using namespace autoprof::catalogue::values;

namespace {

constexpr size_t Sizes[] = {4 * KiB, MiB, 64 * MiB};

void addDevice(Cases &C, size_t Bytes) {
  C.add("cudaMalloc", sizeText(Bytes), Facts(), [Bytes](Bench &B) {
    void *P = nullptr;
    B.time([&] { CALL(cudaMalloc)(&P, Bytes); });
    CALL(cudaFree)(P);
  });
  C.add("cudaFree", "of cudaMalloc, " + sizeText(Bytes),
        destination(values::Device), [Bytes](Bench &B) {
          void *P = nullptr;
          CALL(cudaMalloc)(&P, Bytes);
          B.time([&] { CALL(cudaFree)(P); });
        });
  C.add("cudaMallocManaged", sizeText(Bytes), Facts(), [Bytes](Bench &B) {
    void *P = nullptr;
    B.time([&] { CALL(cudaMallocManaged)(&P, Bytes, cudaMemAttachGlobal); });
    CALL(cudaFree)(P);
  });
  C.add("cudaFree", "of cudaMallocManaged, " + sizeText(Bytes),
        destination(Managed), [Bytes](Bench &B) {
          void *P = nullptr;
          CALL(cudaMallocManaged)(&P, Bytes, cudaMemAttachGlobal);
          B.time([&] { CALL(cudaFree)(P); });
        });
}

void addHost(Cases &C, size_t Bytes) {
  C.add("cudaMallocHost", sizeText(Bytes), Facts(), [Bytes](Bench &B) {
    void *P = nullptr;
    B.time([&] { CALL(cudaMallocHost)(&P, Bytes); });
    CALL(cudaFreeHost)(P);
  });
  C.add("cudaHostAlloc", "mapped, " + sizeText(Bytes), Facts(),
        [Bytes](Bench &B) {
          void *P = nullptr;
          B.time([&] { CALL(cudaHostAlloc)(&P, Bytes, cudaHostAllocMapped); });
          CALL(cudaFreeHost)(P);
        });
  C.add("cudaFreeHost", sizeText(Bytes), Facts(), [Bytes](Bench &B) {
    void *P = nullptr;
    CALL(cudaMallocHost)(&P, Bytes);
    B.time([&] { CALL(cudaFreeHost)(P); });
  });
  auto Pages = [Bytes] {
    void *P = std::aligned_alloc(4096, Bytes);
    std::memset(P, 0, Bytes);
    return P;
  };
  C.add("cudaHostRegister", sizeText(Bytes), Facts(), [=](Bench &B) {
    void *P = Pages();
    B.time([&] { CALL(cudaHostRegister)(P, Bytes, cudaHostRegisterDefault); });
    CALL(cudaHostUnregister)(P);
    std::free(P);
  });
  C.add("cudaHostUnregister", sizeText(Bytes), Facts(), [=](Bench &B) {
    void *P = Pages();
    CALL(cudaHostRegister)(P, Bytes, cudaHostRegisterDefault);
    B.time([&] { CALL(cudaHostUnregister)(P); });
    std::free(P);
  });
}

constexpr cudaChannelFormatDesc Float = {32, 0, 0, 0,
                                         cudaChannelFormatKindFloat};

void addArrays(Cases &C) {
  C.add("cudaMallocPitch", "1,024 rows of 1,000 B", Facts(), [](Bench &B) {
    void *P = nullptr;
    size_t Pitch = 0;
    B.time([&] { CALL(cudaMallocPitch)(&P, &Pitch, 1000, 1024); });
    CALL(cudaFree)(P);
  });
  C.add("cudaMalloc3D", "1 MiB", Facts(), [](Bench &B) {
    cudaPitchedPtr P = {};
    B.time([&] { CALL(cudaMalloc3D)(&P, {1024, 32, 32}); });
    CALL(cudaFree)(P.ptr);
  });
  C.add("cudaMallocArray", "512 x 512 floats", Facts(), [](Bench &B) {
    cudaArray_t A = nullptr;
    B.time([&] { CALL(cudaMallocArray)(&A, &Float, 512, 512, 0); });
    CALL(cudaFreeArray)(A);
  });
  C.add("cudaMalloc3DArray", "64 x 64 x 64 floats", Facts(), [](Bench &B) {
    cudaArray_t A = nullptr;
    B.time([&] { CALL(cudaMalloc3DArray)(&A, &Float, {64, 64, 64}, 0); });
    CALL(cudaFreeArray)(A);
  });
  C.add("cudaFreeArray", "512 x 512 floats", Facts(), [](Bench &B) {
    cudaArray_t A = nullptr;
    CALL(cudaMallocArray)(&A, &Float, 512, 512, 0);
    B.time([&] { CALL(cudaFreeArray)(A); });
  });
  C.add("cudaMallocMipmappedArray", "512 x 512 floats, 4 levels", Facts(),
        [](Bench &B) {
          cudaMipmappedArray_t A = nullptr;
          B.time([&] {
            CALL(cudaMallocMipmappedArray)(&A, &Float, {512, 512, 0}, 4, 0);
          });
          CALL(cudaFreeMipmappedArray)(A);
        });
  C.add("cudaFreeMipmappedArray", "512 x 512 floats, 4 levels", Facts(),
        [](Bench &B) {
          cudaMipmappedArray_t A = nullptr;
          CALL(cudaMallocMipmappedArray)(&A, &Float, {512, 512, 0}, 4, 0);
          B.time([&] { CALL(cudaFreeMipmappedArray)(A); });
        });
}

cudaMemPool_t newPool(const Bench &B, uint64_t Keep) {
  cudaMemPoolProps Props = {};
  Props.allocType = cudaMemAllocationTypePinned;
  Props.location = {cudaMemLocationTypeDevice, B.Device};
  cudaMemPool_t Pool = nullptr;
  CALL(cudaMemPoolCreate)(&Pool, &Props);
  CALL(cudaMemPoolSetAttribute)(Pool, cudaMemPoolAttrReleaseThreshold, &Keep);
  return Pool;
}

/// A pool with memory that it could give back.
cudaMemPool_t filledPool(const Bench &B, size_t Bytes) {
  cudaMemPool_t Pool = newPool(B, ~uint64_t(0));
  void *P = nullptr;
  CALL(cudaMallocFromPoolAsync)(&P, Bytes, Pool, B.OwnStream);
  CALL(cudaFreeAsync)(P, B.OwnStream);
  CALL(cudaStreamSynchronize)(B.OwnStream);
  return Pool;
}

void addPools(Cases &C) {
  C.add("cudaMallocAsync", "1 MiB, default pool", Facts(), [](Bench &B) {
    void *P = nullptr;
    B.time([&] { CALL(cudaMallocAsync)(&P, MiB, B.OwnStream); });
    CALL(cudaFreeAsync)(P, B.OwnStream);
  });
  C.add("cudaFreeAsync", "1 MiB", destination(Pool), [](Bench &B) {
    void *P = nullptr;
    CALL(cudaMallocAsync)(&P, MiB, B.OwnStream);
    B.time([&] { CALL(cudaFreeAsync)(P, B.OwnStream); });
  });
  C.add("cudaFree", "of cudaMallocAsync, 1 MiB", destination(Pool),
        [](Bench &B) {
          void *P = nullptr;
          CALL(cudaMallocAsync)(&P, MiB, B.OwnStream);
          B.time([&] { CALL(cudaFree)(P); });
        });
  C.add("cudaFree", "a null pointer", destination(Null),
        [](Bench &B) { B.time([&] { CALL(cudaFree)(nullptr); }); });
  for (size_t Bytes : {MiB, 64 * MiB}) {
    C.add("cudaMallocFromPoolAsync",
          "memory that the pool has, " + sizeText(Bytes), Facts(),
          [Bytes](Bench &B) {
            cudaMemPool_t Pool = filledPool(B, Bytes);
            void *P = nullptr;
            B.time([&] {
              CALL(cudaMallocFromPoolAsync)(&P, Bytes, Pool, B.OwnStream);
            });
            CALL(cudaFreeAsync)(P, B.OwnStream);
            CALL(cudaMemPoolDestroy)(Pool);
          });
    C.add("cudaMallocFromPoolAsync", "the pool has to grow, " + sizeText(Bytes),
          Facts(), [Bytes](Bench &B) {
            cudaMemPool_t Pool = newPool(B, 0);
            void *P = nullptr;
            B.time([&] {
              CALL(cudaMallocFromPoolAsync)(&P, Bytes, Pool, B.OwnStream);
            });
            CALL(cudaFreeAsync)(P, B.OwnStream);
            CALL(cudaMemPoolDestroy)(Pool);
          });
    C.add("cudaMemPoolTrimTo", "with " + sizeText(Bytes) + " to give back",
          Facts(), [Bytes](Bench &B) {
            cudaMemPool_t Pool = filledPool(B, Bytes);
            B.time([&] { CALL(cudaMemPoolTrimTo)(Pool, 0); });
            CALL(cudaMemPoolDestroy)(Pool);
          });
    C.add("cudaMemPoolDestroy", "with " + sizeText(Bytes) + " to give back",
          Facts(), [Bytes](Bench &B) {
            cudaMemPool_t Pool = filledPool(B, Bytes);
            B.time([&] { CALL(cudaMemPoolDestroy)(Pool); });
          });
  }
  C.add("cudaMemPoolTrimTo", "with nothing to give back", Facts(),
        [](Bench &B) {
          cudaMemPool_t Pool = newPool(B, 0);
          B.time([&] { CALL(cudaMemPoolTrimTo)(Pool, 0); });
          CALL(cudaMemPoolDestroy)(Pool);
        });
}

void addManaged(Cases &C) {
  using M = Bench::Memory;
#if CUDART_VERSION >= 13000
  C.add("cudaMemAdvise", "read mostly, 1 MiB", Facts(), [](Bench &B) {
     void *P = B.buffer(M::Managed);
     cudaMemLocation Location = {cudaMemLocationTypeDevice, B.Device};
     B.time([&] {
       CALL(cudaMemAdvise)(P, MiB, cudaMemAdviseSetReadMostly, Location);
     });
     CALL(cudaMemAdvise)(P, MiB, cudaMemAdviseUnsetReadMostly, Location);
   }).CudaMajor = 13;
  C.add("cudaMemAdvise", "preferred location, 1 MiB", Facts(), [](Bench &B) {
     void *P = B.buffer(M::Managed);
     cudaMemLocation Location = {cudaMemLocationTypeDevice, B.Device};
     B.time([&] {
       CALL(cudaMemAdvise)(P, MiB, cudaMemAdviseSetPreferredLocation, Location);
     });
     CALL(cudaMemAdvise)(P, MiB, cudaMemAdviseUnsetPreferredLocation, Location);
   }).CudaMajor = 13;
  for (bool ToDevice : {true, false})
    C.add("cudaMemPrefetchAsync",
          ToDevice ? "to the device, 1 MiB" : "to the host, 1 MiB", Facts(),
          [ToDevice](Bench &B) {
            char *P = static_cast<char *>(B.buffer(M::Managed));
            cudaMemLocation Location = {cudaMemLocationTypeDevice, B.Device};
            cudaMemLocation Host = {cudaMemLocationTypeHost, 0};
            CALL(cudaMemPrefetchAsync)(P, MiB, ToDevice ? Host : Location, 0,
                                       B.OwnStream);
            B.time([&] {
              CALL(cudaMemPrefetchAsync)(P, MiB, ToDevice ? Location : Host, 0,
                                         B.OwnStream);
            });
          })
        .CudaMajor = 13;
#endif
  C.add("cudaMemGetInfo", "", Facts(), [](Bench &B) {
    size_t Free = 0, Total = 0;
    B.time([&] { CALL(cudaMemGetInfo)(&Free, &Total); });
  });
  C.add("cudaPointerGetAttributes", "of device memory", Facts(), [](Bench &B) {
    void *P = B.buffer(M::Device);
    cudaPointerAttributes A = {};
    B.time([&] { CALL(cudaPointerGetAttributes)(&A, P); });
  });
}

} // namespace

void autoprof::calibrate::addRuntimeMemory(Cases &C) {
  for (size_t Bytes : Sizes) {
    addDevice(C, Bytes);
    addHost(C, Bytes);
  }
  addDevice(C, 1024 * MiB);
  addArrays(C);
  addPools(C);
  addManaged(C);
}
