// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands in for libcuda.so.1 of a GPU whose work takes ten milliseconds for
// each launch, and on which each launch adds one to the number in `device`.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <dlfcn.h>
#include <set>
#include <thread>

using Clock = std::chrono::steady_clock;

static Clock::time_point busy_until;
static int device; // What copies read and write.
static int launches;
static long allocated, live; // Calls of cuMemAlloc; allocations.

static std::set<const void *> pinned;

static void wait() { std::this_thread::sleep_until(busy_until); }

#undef cuMemcpyDtoH
#undef cuMemcpyDtoHAsync
#undef cuMemcpyHtoDAsync
#undef cuMemAlloc
#undef cuMemFree
#undef cuMemGetAddressRange
#undef cuGetProcAddress
#undef cuEventDestroy

extern "C" {
CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned,
                        unsigned, unsigned, unsigned, CUstream, void **,
                        void **) {
  busy_until =
      std::max(busy_until, Clock::now()) + std::chrono::milliseconds(10);
  ++device;
  ++launches;
  return CUDA_SUCCESS;
}
// With FAKE_CALLER, prints where it is called, as recorded stacks have it.
// Stream 5 is never busy.
CUresult cuStreamSynchronize(CUstream stream) {
  Dl_info info;
  char *address = (char *)__builtin_return_address(0) - 1;
  if (getenv("FAKE_CALLER") && dladdr(address, &info))
    fprintf(stderr, "%s+0x%zx", realpath(info.dli_fname, nullptr),
            size_t(address - (char *)info.dli_fbase));
  if (stream != reinterpret_cast<CUstream>(5))
    wait();
  return CUDA_SUCCESS;
}
CUresult cuCtxSynchronize() {
  wait();
  return CUDA_SUCCESS;
}
// With FAKE_CAPTURE, refuses for the first ten launches.
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *) {
  return getenv("FAKE_CAPTURE") && launches < 10 ? CUDA_ERROR_UNKNOWN
                                                 : CUDA_SUCCESS;
}
int fakeDevice() { return device; }
// The second version has a parameter.
CUresult cuCtxSynchronize_v2(CUcontext context) {
  wait();
  return context == reinterpret_cast<CUcontext>(1) ? CUDA_SUCCESS
                                                   : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr, size_t size) {
  wait();
  memcpy(to, &device, size);
  return CUDA_SUCCESS;
}
// Brings the value at once, though the program may not look before the end.
CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr, size_t size, CUstream) {
  memcpy(to, &device, size);
  return CUDA_SUCCESS;
}
// Copies from pageable memory wait.
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr, const void *from, size_t size,
                              CUstream) {
  if (!pinned.count(from))
    wait();
  memcpy(&device, from, size);
  return CUDA_SUCCESS;
}
CUresult cuMemAlloc_v2(CUdeviceptr *memory, size_t) {
  ++live;
  *memory = CUdeviceptr(0x1000 * ++allocated);
  return CUDA_SUCCESS;
}
CUresult cuMemFree_v2(CUdeviceptr) {
  --live;
  wait();
  return CUDA_SUCCESS;
}
CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *size,
                                 CUdeviceptr memory) {
  *base = memory;
  *size = 64;
  return CUDA_SUCCESS;
}
CUresult cuMemHostAlloc(void **memory, size_t size, unsigned) {
  *memory = malloc(size);
  pinned.insert(*memory);
  return CUDA_SUCCESS;
}
CUresult cuMemFreeHost(void *memory) {
  free(memory);
  return CUDA_SUCCESS;
}
CUresult cuEventCreate(CUevent *event, unsigned) {
  *event = reinterpret_cast<CUevent>(new Clock::time_point);
  return CUDA_SUCCESS;
}
CUresult cuEventRecord(CUevent event, CUstream) {
  *reinterpret_cast<Clock::time_point *>(event) = busy_until;
  return CUDA_SUCCESS;
}
CUresult cuEventSynchronize(CUevent event) {
  std::this_thread::sleep_until(*reinterpret_cast<Clock::time_point *>(event));
  return CUDA_SUCCESS;
}
CUresult cuStreamIsCapturing(CUstream, CUstreamCaptureStatus *status) {
  *status = CU_STREAM_CAPTURE_STATUS_NONE;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext *context) {
  *context = reinterpret_cast<CUcontext>(1);
  return CUDA_SUCCESS;
}
CUresult cuPointerGetAttribute(void *, CUpointer_attribute,
                               CUdeviceptr memory) {
  return pinned.count(reinterpret_cast<void *>(memory))
             ? CUDA_SUCCESS
             : CUDA_ERROR_INVALID_VALUE;
}
// A pool of the program's own threshold.
static cuuint64_t threshold = 7;
CUresult cuMemAllocAsync(CUdeviceptr *memory, size_t, CUstream) {
  *memory = CUdeviceptr(threshold == 7 ? 7 : threshold ? 1 : 0);
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice *device) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice) {
  *pool = reinterpret_cast<CUmemoryPool>(1);
  return CUDA_SUCCESS;
}
CUresult cuMemPoolGetAttribute(CUmemoryPool, CUmemPool_attribute, void *value) {
  *static_cast<cuuint64_t *>(value) = threshold;
  return CUDA_SUCCESS;
}
CUresult cuMemPoolSetAttribute(CUmemoryPool, CUmemPool_attribute, void *value) {
  threshold = *static_cast<cuuint64_t *>(value);
  return CUDA_SUCCESS;
}
// As the driver does, by the version of CUDA that the caller was made for.
CUresult cuGetProcAddress_v2(const char *name, void **found, int version,
                             cuuint64_t, CUdriverProcAddressQueryResult *) {
  static const struct {
    const char *name;
    int since;
    void *function;
  } functions[] = {
      {"cuLaunchKernel", 4000, (void *)cuLaunchKernel},
      {"cuStreamSynchronize", 2000, (void *)cuStreamSynchronize},
      {"cuCtxSynchronize", 13000, (void *)cuCtxSynchronize_v2},
      {"cuCtxSynchronize", 2000, (void *)cuCtxSynchronize},
      {"cuMemcpyDtoH", 3020, (void *)cuMemcpyDtoH_v2},
      {"cuMemcpyHtoDAsync", 3020, (void *)cuMemcpyHtoDAsync_v2},
      {"cuMemAlloc", 3020, (void *)cuMemAlloc_v2},
      {"cuMemFree", 3020, (void *)cuMemFree_v2},
      {"cuMemAllocAsync", 11020, (void *)cuMemAllocAsync},
  };
  for (const auto &one : functions)
    if (strcmp(one.name, name) == 0 && version >= one.since) {
      *found = one.function;
      return CUDA_SUCCESS;
    }
  return CUDA_ERROR_NOT_FOUND;
}
long fakeLiveAllocations() { return live; }
}
