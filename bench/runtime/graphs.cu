// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times a launch of a CUDA graph of argv[1] kernels, and a step of a launch, a
// copy of 4 bytes to the host and a wait: medians in us, in one line.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void work(float *value) {
  float x = value[threadIdx.x];
  for (int i = 0; i < 100; ++i)
    x = x * 1.0001f + 0.1f;
  value[threadIdx.x] = x;
}

static double now() {
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

static double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2,
                   values.end());
  return values[values.size() / 2];
}

static cudaGraphExec_t makeGraph(float *device, cudaStream_t stream,
                                 int kernels) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  for (int i = 0; i < kernels; ++i)
    work<<<1, 64, 0, stream>>>(device);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  return exec;
}

int main(int argc, char **argv) {
  const int kernels = argc > 1 ? atoi(argv[1]) : 100, warmUp = 20;
  float *device, host;
  cudaStream_t stream;
  cudaMalloc(&device, 256);
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaGraphExec_t exec = makeGraph(device, stream, kernels);
  std::vector<double> launches, steps;
  for (int i = 0; i < warmUp + 1000; ++i) {
    const double begin = now();
    cudaGraphLaunch(exec, stream);
    const double launched = now();
    cudaMemcpyAsync(&host, device, 4, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    if (i < warmUp)
      continue;
    launches.push_back(launched - begin);
    steps.push_back(now() - begin);
  }
  printf("%.2f %.2f\n", median(launches), median(steps));
  return cudaGetLastError() != cudaSuccess;
}
