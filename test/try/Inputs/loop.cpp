// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that finds the driver as the CUDA runtime does. loop STEPS: in each
// step a launch, and what the argument after it says, at a site of its own.
// With a third one, it launches on stream 5. Prints what it reads in each step,
// and how long the calls took.
#include <autoprof/probe.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <dlfcn.h>

using Clock = std::chrono::steady_clock;

#undef cuMemcpyDtoH
#undef cuMemcpyHtoDAsync
#undef cuMemAlloc
#undef cuMemFree

template <typename Function>
static Function *find(const char *name, int version) {
  static auto ask = (CUresult (*)(const char *, void **, int, cuuint64_t,
                                  CUdriverProcAddressQueryResult *))
      dlsym(dlopen("libcuda.so.1", RTLD_NOW), "cuGetProcAddress_v2");
  void *found = nullptr;
  CUdriverProcAddressQueryResult status;
  if (ask(name, &found, version, 0, &status) != CUDA_SUCCESS)
    exit(3);
  return reinterpret_cast<Function *>(found);
}

int main(int argc, char **argv) {
  const int steps = atoi(argv[1]);
  const char *what = argv[2];
  auto *launch = find<decltype(cuLaunchKernel)>("cuLaunchKernel", 12000);
  auto *synchronize =
      find<decltype(cuStreamSynchronize)>("cuStreamSynchronize", 12000);
  auto *whole = find<CUresult()>("cuCtxSynchronize", 12000);
  auto *context = find<CUresult(CUcontext)>("cuCtxSynchronize", 13000);
  auto *read =
      find<CUresult(void *, CUdeviceptr, size_t)>("cuMemcpyDtoH", 12000);
  auto *write = find<CUresult(CUdeviceptr, const void *, size_t, CUstream)>(
      "cuMemcpyHtoDAsync", 12000);
  auto *allocate = find<CUresult(CUdeviceptr *, size_t)>("cuMemAlloc", 12000);
  auto *fromPool =
      find<CUresult(CUdeviceptr *, size_t, CUstream)>("cuMemAllocAsync", 12000);
  auto *release = find<CUresult(CUdeviceptr)>("cuMemFree", 12000);
  auto device =
      (int (*)())dlsym(dlopen("libcuda.so.1", RTLD_NOW), "fakeDevice");
  int value = -1;
  std::chrono::duration<double, std::milli> waited{0};
  for (int step = 0; step < steps; ++step) {
    CUdeviceptr memory = 0;
    if (strcmp(what, "free") == 0)
      allocate(&memory, 64);
    launch(nullptr, 1, 1, 1, 1, 1, 1, 0,
           argc > 3 ? reinterpret_cast<CUstream>(5) : nullptr, nullptr,
           nullptr);
    const auto start = Clock::now();
    {
      autoprof::site_scope site(0xabc);
      CUresult result = CUDA_SUCCESS;
      if (strcmp(what, "sync") == 0)
        result = synchronize(nullptr);
      else if (strcmp(what, "context") == 0)
        result = step % 2 ? whole() : context(reinterpret_cast<CUcontext>(1));
      else if (strcmp(what, "read") == 0)
        result = read(&value, 0, sizeof value);
      else if (strcmp(what, "write") == 0)
        result = write(0, &step, sizeof step, nullptr);
      else if (strcmp(what, "pool") == 0)
        result = fromPool(&memory, 64, nullptr);
      else
        result = release(memory);
      if (result != CUDA_SUCCESS)
        return 4;
    }
    waited += Clock::now() - start;
    if (strcmp(what, "free") == 0)
      value = int(memory / 0x1000);
    if (strcmp(what, "pool") == 0)
      value = int(memory);
    if (strcmp(what, "write") == 0)
      value = device();
    printf("%d ", value);
  }
  auto live = (long (*)())dlsym(dlopen("libcuda.so.1", RTLD_NOW),
                                "fakeLiveAllocations");
  printf("\n%s, %ld live\n",
         waited.count() > 9 * steps ? "waited" : "did not wait", live());
  return 0;
}

AP_TABLE("0x0000000000000abc|sync|60|1|loop.cpp|main|call;")
