// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures what differs from process to process: prints one line with the names
// of the figures (with any argument), or one with the figures of this process,
// medians in us. bench/compare/factors.py tells which of them explain a step.
//
//   nvcc -O2 -o factor bench/compare/factor.cu
//   ./factor names | tee free.txt > one.txt
//   for i in $(seq 50); do ./factor >> free.txt; done
//   for i in $(seq 20); do taskset -c 2 ./factor >> one.txt; done
//   bench/compare/factors.py free.txt one.txt
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cuda_runtime.h>
#include <numeric>
#include <random>
#include <vector>

namespace {

constexpr int KernelsInStep = 24, CallsInBatch = 20;
constexpr int ShortKernel = 10, LongKernel = 2000; // Iterations.

__global__ void empty() {}

__global__ void work(float *data, int iterations) {
  float x = data[threadIdx.x];
  for (int i = 0; i < iterations; ++i)
    x = x * 1.0001f + 0.1f;
  data[threadIdx.x] = x;
}

double now() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::micro>(time).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <typename Function> double time_of(int repetitions, Function run) {
  std::vector<double> times;
  for (int i = 0; i < repetitions; ++i) {
    const double begin = now();
    run();
    times.push_back(now() - begin);
  }
  return median(times);
}

/// Time of one of several calls, with the GPU idle before and after them.
template <typename Function> double cost_of(Function call) {
  cudaDeviceSynchronize();
  const double batch = time_of(200, [&] {
    for (int i = 0; i < CallsInBatch; ++i)
      call();
  });
  cudaDeviceSynchronize();
  return batch / CallsInBatch;
}

void launch_all(float *data, int iterations) {
  for (int i = 0; i < KernelsInStep; ++i)
    work<<<1, 128>>>(data, iterations);
}

/// Time of the kernels of a step, as measured by the GPU.
double gpu_time(float *data) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<double> times;
  for (int i = 0; i < 50; ++i) {
    cudaEventRecord(begin);
    launch_all(data, LongKernel);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    times.push_back(1000 * milliseconds);
  }
  return median(times);
}

/// Time of arithmetic in registers.
double cpu_time() {
  volatile unsigned long seed = 1;
  return time_of(50, [&] {
    unsigned long x = seed;
    for (int i = 0; i < 20000; ++i)
      x = x * 6364136223846793005ul + 1;
    seed = x;
  });
}

/// Time of loads from 1 MiB, each of which depends on the one before.
double memory_time() {
  std::vector<unsigned> next(1 << 18);
  std::iota(next.begin(), next.end(), 0);
  std::shuffle(next.begin(), next.end(), std::mt19937(1));
  volatile unsigned sink = 0;
  return time_of(30, [&] {
    unsigned at = 0;
    for (int i = 0; i < 5000; ++i)
      at = next[at] ^ (i & 1);
    sink = at;
  });
}

} // namespace

int main(int count, char **) {
  if (count > 1) {
    puts("step step_gpu_bound launch sync copy copy_pinned event gpu cpu "
         "memory");
    return 0;
  }
  float *data, *pinned, loss;
  cudaMalloc(&data, 1 << 20);
  cudaMemset(data, 0, 1 << 20);
  cudaMallocHost(&pinned, 4096);
  cudaEvent_t event;
  cudaEventCreate(&event);
  auto step = [&](int iterations) {
    launch_all(data, iterations);
    cudaMemcpy(&loss, data, sizeof loss, cudaMemcpyDeviceToHost);
  };
  for (int i = 0; i < 100; ++i) // Warm-up.
    step(ShortKernel);
  printf("%.2f ", time_of(800, [&] { step(ShortKernel); }));
  printf("%.2f ", time_of(400, [&] { step(LongKernel); }));
  printf("%.3f ", cost_of([] { empty<<<1, 32>>>(); }));
  printf("%.2f ", time_of(400, [] {
           empty<<<1, 32>>>();
           cudaDeviceSynchronize();
         }));
  printf("%.2f ", time_of(400, [&] {
           cudaMemcpy(&loss, data, sizeof loss, cudaMemcpyDeviceToHost);
         }));
  printf("%.2f ", time_of(400, [&] {
           cudaMemcpyAsync(pinned, data, sizeof loss, cudaMemcpyDeviceToHost);
           cudaStreamSynchronize(nullptr);
         }));
  printf("%.3f ", cost_of([&] { cudaEventRecord(event); }));
  printf("%.2f ", gpu_time(data));
  printf("%.2f ", cpu_time());
  printf("%.2f\n", memory_time());
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
