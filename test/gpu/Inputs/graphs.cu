// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs of many kinds for test/gpu/smoke.sh, each launched 20 times: CUPTI
// must survive them when it records launches of graphs as one operation.
// `graphs late LIBRARY` opens the recorder when the graphs are there already.
#include "check.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <thread>
#include <unistd.h>
#include <vector>

constexpr int launches = 20;

__global__ void add(int *counter) { atomicAdd(counter, 1); }

static int *counter;
static std::vector<cudaGraphExec_t> graphs;

static void CUDART_CB onHost(void *) {}

template <typename Work> static cudaGraph_t capture(Work work) {
  cudaStream_t stream;
  cudaGraph_t graph;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  work(stream);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaStreamDestroy(stream));
  return graph;
}

static cudaGraphExec_t instantiate(cudaGraph_t graph) {
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  return exec;
}

static void inOrder(cudaStream_t stream) {
  for (int i = 0; i < 5; ++i)
    add<<<1, 1, 0, stream>>>(counter);
}

static void forked(cudaStream_t stream) {
  cudaStream_t other;
  cudaEvent_t fork, join;
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&fork));
  CHECK(cudaEventCreate(&join));
  CHECK(cudaEventRecord(fork, stream));
  CHECK(cudaStreamWaitEvent(other, fork, 0));
  inOrder(stream);
  inOrder(other);
  CHECK(cudaEventRecord(join, other));
  CHECK(cudaStreamWaitEvent(stream, join, 0));
}

// Begins and ends on the host; sets, copies and allocates in between.
static void mixed(cudaStream_t stream) {
  int *memory;
  CHECK(cudaLaunchHostFunc(stream, onHost, nullptr));
  CHECK(cudaMallocAsync(&memory, 4096, stream));
  CHECK(cudaMemsetAsync(memory, 0, 4096, stream));
  CHECK(cudaMemcpyAsync(memory, counter, sizeof(int), cudaMemcpyDeviceToDevice,
                        stream));
  inOrder(stream);
  CHECK(cudaFreeAsync(memory, stream));
  CHECK(cudaLaunchHostFunc(stream, onHost, nullptr));
}

static void make() {
  CHECK(cudaMalloc(&counter, sizeof(int)));
  CHECK(cudaMemset(counter, 0, sizeof(int)));
  cudaGraph_t plain = capture(inOrder), nested, empty, host;
  graphs.push_back(instantiate(plain));
  graphs.push_back(instantiate(capture(forked)));
  graphs.push_back(instantiate(capture(mixed)));
  CHECK(cudaGraphCreate(&nested, 0));
  cudaGraphNode_t first, second;
  CHECK(cudaGraphAddChildGraphNode(&first, nested, nullptr, 0, plain));
  CHECK(cudaGraphAddChildGraphNode(&second, nested, &first, 1, plain));
  graphs.push_back(instantiate(nested));
  CHECK(cudaGraphCreate(&empty, 0));
  graphs.push_back(instantiate(empty));
  host = capture([](cudaStream_t stream) {
    CHECK(cudaLaunchHostFunc(stream, onHost, nullptr));
  });
  graphs.push_back(instantiate(host));
  // Updated in place, and made by another thread.
  cudaGraphExec_t updated = instantiate(plain);
  cudaGraphExecUpdateResultInfo info;
  CHECK(cudaGraphExecUpdate(updated, capture(inOrder), &info));
  graphs.push_back(updated);
  std::thread([plain] { graphs.push_back(instantiate(plain)); }).join();
}

static void launch() {
  cudaStream_t streams[2];
  for (cudaStream_t &stream : streams)
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaGraphUpload(graphs[0], streams[0]));
  for (int i = 0; i < launches; ++i) {
    for (cudaGraphExec_t exec : graphs)
      CHECK(cudaGraphLaunch(exec, streams[i % 2]));
    CHECK(cudaDeviceSynchronize());
  }
  for (cudaGraphExec_t exec : graphs)
    CHECK(cudaGraphExecDestroy(exec));
  graphs.clear();
  int count = 0;
  CHECK(cudaMemcpy(&count, counter, sizeof count, cudaMemcpyDeviceToHost));
  printf("count %d\n", count);
}

int main(int argc, char **argv) {
  make();
  if (argc > 2 && strcmp(argv[1], "late") == 0) {
    dlopen(argv[2], RTLD_NOW);
    usleep(500000); // The recorder looks for CUDA every 200 ms.
  }
  launch();
  // Again, with graphs that were made meanwhile.
  make();
  launch();
}
