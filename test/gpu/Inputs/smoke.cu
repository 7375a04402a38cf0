// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CUDA program for test/gpu/smoke.sh: argv[1] says what it does. Its probes
// are written by hand, so that nvcc alone builds it.
#include "check.h"

#include <autoprof/probe.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

__global__ void spin(long long ns, float *out) {
  keepBusy(ns);
  if (out)
    *out = 42;
}

__global__ void empty() {}

// A non-blocking stream, a 5 ms kernel and a copy that must wait for it.
static void step(cudaStream_t stream, float *device, float *host) {
  AP_RANGE(0x0000000000000001)
  AP_SITE(0x0000000000000002) spin<<<1, 1, 0, stream>>>(5000000, device);
  CHECK(cudaGetLastError());
  AP_SITE(0x0000000000000003)
  cudaMemcpyAsync(host, device, sizeof *host, cudaMemcpyDeviceToHost, stream);
  CHECK(cudaStreamSynchronize(stream));
}

static void worker(int steps) {
  cudaStream_t stream;
  float *device, *host;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaMalloc(&device, sizeof *device));
  CHECK(cudaMallocHost(&host, sizeof *host));
  for (int i = 0; i < steps; ++i)
    step(stream, device, host);
  AP_SITE(0x0000000000000004) cudaFree(device);
  CHECK(cudaFreeHost(host));
  CHECK(cudaStreamDestroy(stream));
}

// One of each on the legacy stream and on a blocking one.
static void each() {
  float *device, pageable = 0;
  cudaStream_t stream;
  cudaEvent_t event;
  CHECK(cudaMalloc(&device, 1 << 20));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&event));
  CHECK(cudaMemset(device, 0, 4096));
  spin<<<1, 1>>>(20000000, device);
  AP_SITE(0x0000000000000005)
  cudaMemcpy(&pageable, device, sizeof pageable, cudaMemcpyDeviceToHost);
  spin<<<1, 1, 0, stream>>>(20000000, device);
  CHECK(cudaEventRecord(event, stream));
  CHECK(cudaEventSynchronize(event));
  spin<<<2, 32, 64, stream>>>(10000000, nullptr);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(device, device + 1024, 4096, cudaMemcpyDeviceToDevice));
  spin<<<1, 1, 0, stream>>>(10000000, nullptr);
  AP_SITE(0x0000000000000006) cudaFree(device);
  printf("value %g\n", pageable);
}

static void burst(int launches) {
  for (int i = 0; i < launches; ++i) {
    AP_SITE(0x0000000000000007) empty<<<1, 1>>>();
    if (i % 500 == 499)
      CHECK(cudaDeviceSynchronize());
  }
  CHECK(cudaDeviceSynchronize());
}

static void threads(int count) {
  std::vector<std::thread> all;
  for (int i = 0; i < count; ++i)
    all.emplace_back([] {
      cudaStream_t stream;
      CHECK(cudaStreamCreate(&stream));
      for (int j = 0; j < 1000; ++j)
        AP_SITE(0x0000000000000007) empty<<<1, 1, 0, stream>>>();
      CHECK(cudaStreamSynchronize(stream));
    });
  for (std::thread &t : all)
    t.join();
}

static void graph() {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < 5; ++i)
    spin<<<1, 1, 0, stream>>>(1000, nullptr);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 10; ++i)
    CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
}

static void forkChild(bool parentUsesCuda) {
  if (parentUsesCuda)
    worker(2);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    AP_RANGE(0x0000000000000008)
    if (!parentUsesCuda)
      worker(3);
    printf("child\n");
    exit(3);
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("parent saw %d\n", WEXITSTATUS(status));
  if (parentUsesCuda)
    worker(2);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  auto is = [what](const char *name) { return strcmp(what, name) == 0; };
  if (is("each"))
    each();
  else if (is("two-threads")) {
    std::thread other(worker, 10);
    worker(10);
    other.join();
  } else if (is("burst"))
    burst(argc > 2 ? atoi(argv[2]) : 100000);
  else if (is("threads"))
    threads(argc > 2 ? atoi(argv[2]) : 64);
  else if (is("graph"))
    graph();
  else if (is("reset")) {
    worker(3);
    CHECK(cudaDeviceReset());
    worker(3);
  } else if (is("endless"))
    for (;;)
      worker(10);
  else if (is("pending"))
    spin<<<1, 1>>>(300000000, nullptr);
  else if (is("long"))
    worker(160);
  else if (is("not-injected")) { // The driver will not find the recorder.
    unsetenv("CUDA_INJECTION64_PATH");
    worker(160);
  } else if (is("exit-in-thread")) {
    worker(3);
    std::thread([] { exit(11); }).join();
  } else if (is("_exit")) {
    worker(3);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    _exit(12);
  } else if (is("quick-exit")) {
    worker(3);
    quick_exit(13);
  } else if (is("abort")) {
    worker(3);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    abort();
  } else if (is("fork-after"))
    forkChild(true);
  else if (is("fork-before"))
    forkChild(false);
  else if (is("late")) {
    worker(2);
    if (!dlopen(argv[2], RTLD_NOW))
      printf("%s\n", dlerror());
    worker(5);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    worker(5);
  } else if (is("subscribed")) {
    // Another tool: takes CUPTI before CUDA initialises.
    void *cupti = dlopen(argv[2], RTLD_NOW);
    auto subscribe = reinterpret_cast<int (*)(void **, void (*)(), void *)>(
        cupti ? dlsym(cupti, "cuptiSubscribe") : nullptr);
    void *handle = nullptr;
    int status = subscribe ? subscribe(&handle, [] {}, nullptr) : -1;
    fprintf(stderr, "other tool: %d\n", status);
    worker(3);
  } else {
    printf("what?\n");
    return 91;
  }
  printf("done %s\n", what);
  return 7;
}

AP_TABLE("0x0000000000000001|function|28|1|smoke.cu|step|;"
         "0x0000000000000002|launch|30|3|smoke.cu|step|spin;"
         "0x0000000000000003|copy|32|3|smoke.cu|step|cudaMemcpyAsync;"
         "0x0000000000000004|free|45|3|smoke.cu|worker|cudaFree;"
         "0x0000000000000005|copy|60|3|smoke.cu|each|cudaMemcpy;"
         "0x0000000000000006|free|69|3|smoke.cu|each|cudaFree;"
         "0x0000000000000007|launch|75|5|smoke.cu|burst|empty;"
         "0x0000000000000008|function|117|1|smoke.cu|forkChild|;")
