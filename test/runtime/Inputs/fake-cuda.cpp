// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands in for libcuda.so.1. FAKE_CUDA in the environment: "no-device"
// (cuInit injects, then finds no GPU), "failed" (it fails for another reason),
// "not-injected" (a debugger took the recorder's place), "tells-of-waits",
// "tells-of-launches" (the reference launches of the mode "steps"), "no-memory"
// (which they need), "capturing" (the GPU cannot be waited for), "costs" (a
// launch takes 100 us, and 200 us once CUPTI is there). Launches and the
// profiler's calls are made known to fake-cupti.cpp, if it is there.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cuda.h>
#include <cudaProfiler.h>
#include <cupti.h>
#include <dlfcn.h>
#include <unistd.h>

static bool is(const char *what) {
  const char *value = getenv("FAKE_CUDA");
  return value && strcmp(value, what) == 0;
}

static std::atomic<bool> called{false};

static long nanoseconds() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000 + time.tv_nsec;
}

static void spin_until(long end) {
  while (nanoseconds() < end)
    ;
}

static void spin(int microseconds) {
  spin_until(nanoseconds() + microseconds * 1000);
}

template <typename Function> static Function cuptiFunction(const char *name) {
  void *library = dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
  return reinterpret_cast<Function>(library ? dlsym(library, name) : nullptr);
}

// A call of the driver or the runtime with something inside.
template <typename Function>
static CUresult call(CUpti_CallbackDomain domain, uint32_t id,
                     Function inside) {
  auto known = cuptiFunction<void (*)(uint32_t, uint32_t, int, uint64_t *)>(
      "fakeCuptiCall");
  uint64_t data = 0;
  if (known)
    known(domain, id, 0, &data);
  inside();
  if (known)
    known(domain, id, 1, &data);
  return CUDA_SUCCESS;
}

static CUresult call(uint32_t id) {
  return call(CUPTI_CB_DOMAIN_DRIVER_API, id, [] {});
}

extern "C" {

CUresult cuInit(unsigned) {
  const char *path = getenv("CUDA_INJECTION64_PATH");
  if (path && !is("not-injected") && !called)
    if (void *library = dlopen(path, RTLD_NOW))
      if (void *initialize = dlsym(library, "InitializeInjection"))
        reinterpret_cast<int (*)()>(initialize)();
  called = true;
  return is("no-device") ? CUDA_ERROR_NO_DEVICE
         : is("failed")  ? CUDA_ERROR_SYSTEM_DRIVER_MISMATCH
                         : CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
  if (!called || is("failed"))
    return CUDA_ERROR_NOT_INITIALIZED;
  *count = 1;
  return is("no-device") ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned,
                        unsigned, unsigned, unsigned, CUstream, void **,
                        void **) {
  const long begin = nanoseconds();
  auto launch = cuptiFunction<void (*)()>("fakeCuptiLaunch");
  if (launch)
    launch();
  if (is("costs"))
    spin_until(begin + (launch ? 200'000 : 100'000));
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  *context = reinterpret_cast<CUcontext>(&called);
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice) {
  return cuCtxGetCurrent(context);
}

CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }

CUresult cuModuleLoadData(CUmodule *module, const void *) {
  *module = nullptr;
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule, const char *) {
  *function = nullptr;
  return CUDA_SUCCESS;
}

static thread_local CUstreamCaptureMode capture_mode =
    CU_STREAM_CAPTURE_MODE_GLOBAL;

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  CUstreamCaptureMode before = capture_mode;
  capture_mode = *mode;
  *mode = before;
  return CUDA_SUCCESS;
}

// Says so, and whether a capture would survive it.
CUresult cuCtxSynchronize() {
  if (is("tells-of-waits"))
    fprintf(stderr, "waited, capture mode %d\n", int(capture_mode));
  return is("capturing") ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
}

// What is made for reference launches, on one stream at a time. A call takes a
// microsecond or two.
static struct {
  int memsets, waits, allocations;
} reference;

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  *stream = reinterpret_cast<CUstream>(&reference);
  return flags == CU_STREAM_NON_BLOCKING ? CUDA_SUCCESS
                                         : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuStreamSynchronize(CUstream) {
  ++reference.waits;
  if (is("costs"))
    spin(1);
  return CUDA_SUCCESS;
}

CUresult cuStreamDestroy(CUstream) {
  if (is("tells-of-launches"))
    fprintf(stderr, "launched %s, waited %s, left %d, capture mode %d\n",
            reference.memsets >= 160 ? "enough" : "too little",
            reference.waits * 20 == reference.memsets ? "after each 20"
                                                      : "otherwise",
            reference.allocations, int(capture_mode));
  return CUDA_SUCCESS;
}

CUresult cuMemAlloc(CUdeviceptr *memory, size_t) {
  if (is("no-memory"))
    return CUDA_ERROR_OUT_OF_MEMORY;
  ++reference.allocations;
  *memory = 4096;
  return CUDA_SUCCESS;
}

CUresult cuMemsetD32Async(CUdeviceptr, unsigned, size_t, CUstream) {
  ++reference.memsets;
  spin(2);
  return CUDA_SUCCESS;
}

CUresult cuMemFree(CUdeviceptr) {
  --reference.allocations;
  return CUDA_SUCCESS;
}

// Numbers of fake-cupti.cpp. The runtime's function calls the driver's.
CUresult cuMemcpyHtoD(CUdeviceptr, const void *, size_t) {
  return call(CUPTI_CB_DOMAIN_DRIVER_API, 3, [] { usleep(100); });
}

// The same, and it does not wait. Made known to no header.
void briefCopy(CUdeviceptr, const void *, size_t) {
  call(CUPTI_CB_DOMAIN_DRIVER_API, 3, [] {});
}

static void (*in_copies)() = nullptr;
void callInCopies(void (*function)()) { in_copies = function; }

cudaError_t cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind) {
  call(CUPTI_CB_DOMAIN_RUNTIME_API, 3, [] {
    if (in_copies)
      in_copies();
    cuMemcpyHtoD(0, nullptr, 0);
  });
  return cudaSuccess;
}

CUresult cuProfilerStart() {
  return call(CUPTI_DRIVER_TRACE_CBID_cuProfilerStart);
}

CUresult cuProfilerStop() {
  return call(CUPTI_DRIVER_TRACE_CBID_cuProfilerStop);
}

CUresult cuDriverGetVersion(int *version) {
  *version = 13000;
  return CUDA_SUCCESS;
}

} // extern "C"
