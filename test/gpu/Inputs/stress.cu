// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CUDA program that nobody instrumented, for test/gpu/stress.sh. argv[1] is
// what it does, argv[2] a number or a path. Each kernel counts itself; the
// program says how many it launched and how many the GPU counted.
#include "check.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

__device__ unsigned long long counted;

__global__ void count() { atomicAdd(&counted, 1); }

static unsigned long long read() {
  unsigned long long value = 0;
  CHECK(cudaMemcpyFromSymbol(&value, counted, sizeof value));
  return value;
}

static int say(unsigned long long launched, unsigned long long seen) {
  printf("kernels %llu, counted %llu\n", launched, seen);
  return launched == seen ? 5 : 91;
}

static void launch(unsigned long long n, cudaStream_t stream = nullptr) {
  for (unsigned long long i = 0; i < n; ++i)
    count<<<1, 1, 0, stream>>>();
  CHECK(cudaGetLastError());
}

static int onThreads(unsigned long long each) {
  constexpr int threads = 8, streams = 4;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([each] {
      cudaStream_t of[streams];
      float *pinned, *device;
      CHECK(cudaMallocHost(&pinned, 4));
      CHECK(cudaMalloc(&device, 4));
      for (cudaStream_t &s : of)
        CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
      for (unsigned long long i = 0; i < each; i += 100) {
        for (cudaStream_t s : of)
          launch(100, s);
        CHECK(cudaMemcpyAsync(pinned, device, 4, cudaMemcpyDeviceToHost,
                              of[i / 100 % streams]));
        CHECK(cudaStreamSynchronize(of[i / 100 % streams]));
      }
      for (cudaStream_t s : of) {
        CHECK(cudaStreamSynchronize(s));
        CHECK(cudaStreamDestroy(s));
      }
      CHECK(cudaFree(device));
      CHECK(cudaFreeHost(pinned));
    });
  for (std::thread &t : all)
    t.join();
  return say(threads * streams * each, read());
}

static int replay(unsigned long long times) {
  constexpr int nodes = 50;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  launch(nodes, stream);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (unsigned long long i = 0; i < times; ++i)
    CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  return say(nodes * times, read());
}

// Each context has its own counter: the module is loaded into each.
static int inContexts(unsigned long long each) {
  CHECK(cuInit(0));
  unsigned long long seen = 0;
  for (int i = 0; i < 2; ++i) {
    CUcontext context;
#if CUDA_VERSION >= 13000
    CHECK(cuCtxCreate(&context, nullptr, 0, 0));
#else
    CHECK(cuCtxCreate(&context, 0, 0));
#endif
    launch(each);
    seen += read();
    if (i == 0) // The other one lives to the end.
      CHECK(cuCtxDestroy(context));
  }
  return say(2 * each, seen);
}

static int onDevices(unsigned long long each) {
  int devices = 0;
  unsigned long long seen = 0;
  CHECK(cudaGetDeviceCount(&devices));
  if (devices < 2)
    return 77;
  for (int i = 0; i < devices; ++i) {
    CHECK(cudaSetDevice(i));
    launch(each);
  }
  for (int i = 0; i < devices; ++i) {
    CHECK(cudaSetDevice(i));
    seen += read();
  }
  return say(devices * each, seen);
}

// Threads that take turns at the GPUs, each with two streams on its own.
static int onDevicesAndThreads(unsigned long long each) {
  constexpr int threads = 8, streams = 2;
  int devices = 0;
  CHECK(cudaGetDeviceCount(&devices));
  if (devices < 2)
    return 77;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([=] {
      cudaStream_t of[streams];
      float *pinned, *device;
      CHECK(cudaSetDevice(t % devices));
      CHECK(cudaMallocHost(&pinned, 4));
      CHECK(cudaMalloc(&device, 4));
      for (cudaStream_t &s : of)
        CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
      for (unsigned long long i = 0; i < each; i += 100) {
        for (cudaStream_t s : of)
          launch(100, s);
        CHECK(
            cudaMemcpyAsync(pinned, device, 4, cudaMemcpyDeviceToHost, of[0]));
        CHECK(cudaDeviceSynchronize());
      }
      CHECK(cudaFree(device));
      CHECK(cudaFreeHost(pinned));
    });
  for (std::thread &t : all)
    t.join();
  unsigned long long seen = 0;
  for (int i = 0; i < devices; ++i) {
    CHECK(cudaSetDevice(i));
    seen += read();
  }
  return say(threads * streams * each, seen);
}

static int withChild(char *self) {
  launch(100);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    execl(self, self, "launches", "1000", nullptr);
    _exit(92);
  }
  int status = 0;
  waitpid(child, &status, 0);
  launch(100);
  printf("child %d\n", WEXITSTATUS(status));
  return say(200, read());
}

static int openLate(const char *runtime) {
  launch(100);
  CHECK(cudaDeviceSynchronize());
  if (*runtime && !dlopen(runtime, RTLD_NOW))
    return 93;
  usleep(700000);
  launch(1000);
  return say(1100, read());
}

int main(int argc, char **argv) {
  auto is = [argv](const char *what) { return !strcmp(argv[1], what); };
  unsigned long long n = argc > 2 ? strtoull(argv[2], nullptr, 10) : 1000;
  if (is("launches")) {
    launch(n);
    return say(n, read());
  }
  if (is("threads"))
    return onThreads(n);
  if (is("replay"))
    return replay(n);
  if (is("contexts"))
    return inContexts(n);
  if (is("devices"))
    return onDevices(n);
  if (is("devices-and-threads"))
    return onDevicesAndThreads(n);
  if (is("exec"))
    return withChild(argv[0]);
  if (is("late"))
    return openLate(argc > 2 ? argv[2] : "");
  for (;;) { // "endless"
    launch(100);
    CHECK(cudaDeviceSynchronize());
  }
}
