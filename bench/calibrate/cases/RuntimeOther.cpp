// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams, events, settings and queries of the CUDA runtime.
#include "calibrate/Bench.h"
#include "calibrate/CaseFiles.h"

#include <cuda_runtime_api.h>

using namespace autoprof::calibrate;
using namespace autoprof::catalogue;
using namespace autoprof::catalogue::values;

namespace {

void addStreams(Cases &C) {
  C.add("cudaStreamCreate", "", Facts(), [](Bench &B) {
    cudaStream_t S = nullptr;
    B.time([&] { CALL(cudaStreamCreate)(&S); });
    CALL(cudaStreamDestroy)(S);
  });
  C.add("cudaStreamCreateWithFlags", "non-blocking", Facts(), [](Bench &B) {
    cudaStream_t S = nullptr;
    B.time([&] { CALL(cudaStreamCreateWithFlags)(&S, cudaStreamNonBlocking); });
    CALL(cudaStreamDestroy)(S);
  });
  C.add("cudaStreamDestroy", "without work", Facts(), [](Bench &B) {
    cudaStream_t S = nullptr;
    CALL(cudaStreamCreateWithFlags)(&S, cudaStreamNonBlocking);
    B.time([&] { CALL(cudaStreamDestroy)(S); });
  });
  C.add("cudaStreamDestroy", "with work behind that of the own stream", Facts(),
        [](Bench &B) {
          cudaStream_t S = nullptr;
          cudaEvent_t E = nullptr;
          CALL(cudaStreamCreateWithFlags)(&S, cudaStreamNonBlocking);
          CALL(cudaEventCreateWithFlags)(&E, cudaEventDisableTiming);
          B.time([&] { CALL(cudaStreamDestroy)(S); },
                 [&] {
                   CALL(cudaEventRecord)(E, B.OwnStream);
                   CALL(cudaStreamWaitEvent)(S, E, 0);
                   CALL(cuLaunchKernel)(B.Empty, 1, 1, 1, 1, 1, 1, 0, S,
                                        nullptr, nullptr);
                 });
          CALL(cudaEventDestroy)(E);
        });
  C.add("cudaStreamSynchronize", "a non-blocking stream", stream(NonBlocking),
        [](Bench &B) {
          B.time([&] { CALL(cudaStreamSynchronize)(B.OwnStream); });
        });
  C.add("cudaStreamSynchronize", "the legacy default stream", stream(Legacy),
        [](Bench &B) {
          B.time([&] { CALL(cudaStreamSynchronize)(cudaStreamLegacy); });
        });
  C.add("cudaStreamQuery", "", Facts(),
        [](Bench &B) { B.time([&] { CALL(cudaStreamQuery)(B.OwnStream); }); });
  C.add("cudaDeviceSynchronize", "", Facts(),
        [](Bench &B) { B.time([&] { CALL(cudaDeviceSynchronize)(); }); });
}

/// Passes the body an event that was recorded on the own stream, after the work
/// queued there.
void withEvent(Bench &B, unsigned Flags,
               llvm::function_ref<void(cudaEvent_t)> Call) {
  cudaEvent_t E = nullptr;
  CALL(cudaEventCreateWithFlags)(&E, Flags);
  B.time([&] { Call(E); }, [&] { CALL(cudaEventRecord)(E, B.OwnStream); });
  CALL(cudaEventDestroy)(E);
}

void addEvents(Cases &C) {
  C.add("cudaEventCreate", "", Facts(), [](Bench &B) {
    cudaEvent_t E = nullptr;
    B.time([&] { CALL(cudaEventCreate)(&E); });
    CALL(cudaEventDestroy)(E);
  });
  C.add("cudaEventDestroy", "recorded behind the work", Facts(), [](Bench &B) {
    cudaEvent_t E = nullptr;
    CALL(cudaEventCreate)(&E);
    B.time([&] { CALL(cudaEventDestroy)(E); },
           [&] { CALL(cudaEventRecord)(E, B.OwnStream); });
  });
  C.add("cudaEventRecord", "", Facts(), [](Bench &B) {
    cudaEvent_t E = nullptr;
    CALL(cudaEventCreate)(&E);
    B.time([&] { CALL(cudaEventRecord)(E, B.OwnStream); });
    CALL(cudaEventDestroy)(E);
  });
  C.add("cudaEventSynchronize", "recorded behind the work", Facts(),
        [](Bench &B) {
          withEvent(B, cudaEventDisableTiming,
                    [](cudaEvent_t E) { CALL(cudaEventSynchronize)(E); });
        });
  C.add("cudaEventSynchronize", "the same, cudaEventBlockingSync", Facts(),
        [](Bench &B) {
          withEvent(B, cudaEventBlockingSync,
                    [](cudaEvent_t E) { CALL(cudaEventSynchronize)(E); });
        });
  C.add("cudaEventQuery", "recorded behind the work", Facts(), [](Bench &B) {
    withEvent(B, cudaEventDisableTiming,
              [](cudaEvent_t E) { CALL(cudaEventQuery)(E); });
  });
  C.add("cudaStreamWaitEvent", "recorded behind the work", Facts(),
        [](Bench &B) {
          withEvent(B, cudaEventDisableTiming, [&](cudaEvent_t E) {
            CALL(cudaStreamWaitEvent)(B.OtherNonBlocking, E, 0);
          });
        });
  C.add("cudaEventElapsedTime", "the second event is behind the work", Facts(),
        [](Bench &B) {
          cudaEvent_t First = nullptr;
          CALL(cudaEventCreate)(&First);
          CALL(cudaEventRecord)(First, B.OwnStream);
          withEvent(B, cudaEventDefault, [&](cudaEvent_t E) {
            float Ms = 0;
            CALL(cudaEventElapsedTime)(&Ms, First, E);
          });
          CALL(cudaEventDestroy)(First);
        });
}

void addLimits(Cases &C) {
  C.add("cudaDeviceSetLimit", "a larger stack", flag(StackLimit), [](Bench &B) {
    size_t Before = 0;
    CALL(cudaDeviceGetLimit)(&Before, cudaLimitStackSize);
    B.time([&] {
      CALL(cudaDeviceSetLimit)(cudaLimitStackSize, Before + 4 * KiB);
    });
    CALL(cudaDeviceSetLimit)(cudaLimitStackSize, Before);
  });
  C.add("cudaDeviceSetLimit", "a smaller stack", flag(StackLimit),
        [](Bench &B) {
          size_t Before = 0;
          CALL(cudaDeviceGetLimit)(&Before, cudaLimitStackSize);
          CALL(cudaDeviceSetLimit)(cudaLimitStackSize, Before + 4 * KiB);
          B.time([&] { CALL(cudaDeviceSetLimit)(cudaLimitStackSize, Before); });
        });
  C.add("cudaDeviceSetLimit", "the same stack again", flag(StackLimit),
        [](Bench &B) {
          size_t Before = 0;
          CALL(cudaDeviceGetLimit)(&Before, cudaLimitStackSize);
          B.time([&] { CALL(cudaDeviceSetLimit)(cudaLimitStackSize, Before); });
        });
  for (auto [Limit, Text] :
       {std::pair(cudaLimitPrintfFifoSize, "the printf buffer"),
        std::pair(cudaLimitMallocHeapSize, "the heap of device malloc"),
        std::pair(cudaLimitPersistingL2CacheSize, "the persisting L2 cache"),
        std::pair(cudaLimitMaxL2FetchGranularity, "the L2 fetch granularity")})
    C.add("cudaDeviceSetLimit", Text, flag(OtherLimit),
          [Limit = Limit](Bench &B) {
            size_t Before = 0;
            CALL(cudaDeviceGetLimit)(&Before, Limit);
            B.time([&] {
              CALL(cudaDeviceSetLimit)(
                  Limit,
                  Limit == cudaLimitMaxL2FetchGranularity ? 32 : Before + MiB);
            });
            CALL(cudaDeviceSetLimit)(Limit, Before);
          });
  C.add("cudaCtxResetPersistingL2Cache", "", Facts(), [](Bench &B) {
    size_t Before = 0;
    CALL(cudaDeviceGetLimit)(&Before, cudaLimitPersistingL2CacheSize);
    CALL(cudaDeviceSetLimit)(cudaLimitPersistingL2CacheSize, MiB);
    B.time([&] { CALL(cudaCtxResetPersistingL2Cache)(); });
    CALL(cudaDeviceSetLimit)(cudaLimitPersistingL2CacheSize, Before);
  });
  C.add("cudaDeviceSetCacheConfig", "", Facts(), [](Bench &B) {
    B.time([&] { CALL(cudaDeviceSetCacheConfig)(cudaFuncCachePreferL1); });
    CALL(cudaDeviceSetCacheConfig)(cudaFuncCachePreferNone);
  });
}

void addQueries(Cases &C) {
  C.add("cudaGetLastError", "", Facts(),
        [](Bench &B) { B.time([&] { CALL(cudaGetLastError)(); }); });
  C.add("cudaPeekAtLastError", "", Facts(),
        [](Bench &B) { B.time([&] { CALL(cudaPeekAtLastError)(); }); });
  C.add("cudaSetDevice", "the current one", Facts(),
        [](Bench &B) { B.time([&] { CALL(cudaSetDevice)(B.Device); }); });
  // Its structure is not the same in CUDA 12 and 13.
  C.add("cudaGetDeviceProperties", "", Facts(), [](Bench &B) {
     static cudaDeviceProp Properties;
     B.time([&] { CALL(cudaGetDeviceProperties)(&Properties, B.Device); });
   }).CudaMajor = CUDART_VERSION / 1000;
  C.add("cudaDeviceGetAttribute", "", Facts(), [](Bench &B) {
    int Value = 0;
    B.time([&] {
      CALL(cudaDeviceGetAttribute)(&Value, cudaDevAttrMultiProcessorCount,
                                   B.Device);
    });
  });
  C.add("cudaDeviceFlushGPUDirectRDMAWrites", "", Facts(), [](Bench &B) {
    B.time([&] {
      CALL(cudaDeviceFlushGPUDirectRDMAWrites)(
          cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
          cudaFlushGPUDirectRDMAWritesToOwner);
    });
  });
  C.add("cudaFuncGetAttributes", "", Facts(), [](Bench &B) {
    cudaFuncAttributes Attributes = {};
    B.time([&] { CALL(cudaFuncGetAttributes)(&Attributes, B.EmptyKernel); });
  });
  C.add("cudaFuncSetAttribute", "", Facts(), [](Bench &B) {
    B.time([&] {
      CALL(cudaFuncSetAttribute)(
          B.EmptyKernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 16 * KiB);
    });
  });
  C.add("cudaOccupancyMaxActiveBlocksPerMultiprocessor", "", Facts(),
        [](Bench &B) {
          int Blocks = 0;
          B.time([&] {
            CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor)(
                &Blocks, B.EmptyKernel, 128, 0);
          });
        });
}

#if CUDART_VERSION >= 12080
void addLibraries(Cases &C) {
  C.add("cudaLibraryUnload", "its kernels ran", Facts(), [](Bench &B) {
    cudaLibrary_t Library = nullptr;
    cudaKernel_t Kernel = nullptr;
    CALL(cudaLibraryLoadData)(&Library, B.ptx(), nullptr, nullptr, 0, nullptr,
                              nullptr, 0);
    CALL(cudaLibraryGetKernel)(&Kernel, Library, "autoprof_empty");
    CALL(cudaLaunchKernel)(Kernel, dim3(1), dim3(1), nullptr, 0, B.OwnStream);
    B.time([&] { CALL(cudaLibraryUnload)(Library); });
  });
}
#else
void addLibraries(Cases &) {}
#endif

} // namespace

void autoprof::calibrate::addRuntimeOther(Cases &C) {
  addStreams(C);
  addEvents(C);
  addLimits(C);
  addQueries(C);
  addLibraries(C);
}
