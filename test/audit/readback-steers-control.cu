// A value is read back to decide what the GPU does next.
// RUN: %check_rules
#include <cmath>
#include <cublas_v2.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                            \
  do {                                                                         \
    if ((call) != cudaSuccess)                                                 \
      std::exit(1);                                                            \
  } while (0)

__global__ void step(float *x) { *x += 1; }
__global__ void refine(float *x) { *x += 1; }

void loopCondition(float *x, float limit) {
  float error = 1;
  while (error > limit) {
    step<<<1, 1>>>(x);
    CHECK(cudaMemcpy(&error, x, 4, cudaMemcpyDeviceToHost)); // expect: autoprof-readback-steers-control high; advice: test every N iterations, if up to N-1 more iterations may run
  }
}

// The result is in memory of the host, so the handle's mode is host.
float norm(const float *x, int n) {
  static cublasHandle_t handle = [] {
    cublasHandle_t created;
    cublasCreate(&created);
    return created;
  }();
  float result = 0;
  cublasSnrm2(handle, n, x, 1, &result); // expect: autoprof-readback-steers-control high
  return result;
}

void converges(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    if (norm(x, n) < 1e-6f)
      break;
  }
}

void leaves(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    float error;
    step<<<1, 1>>>(x);
    cudaMemcpy(&error, x, sizeof(float), cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control high
    if (std::sqrt(error) < 1e-6f)
      break;
  }
}

void queues(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    int more;
    step<<<1, 1>>>(x);
    cudaMemcpy(&more, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control
    if (more)
      refine<<<1, 1>>>(x);
  }
}

void configures(float *x, int n) {
  int blocks = 1;
  for (int i = 0; i < n; ++i) {
    step<<<blocks, 1>>>(x);
    cudaMemcpy(&blocks, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control
  }
}

static float residual(const float *x) {
  float r;
  cudaMemcpy(&r, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control
  return r;
}
void byCall(float *x) {
  do {
    step<<<1, 1>>>(x);
  } while (residual(x) > 1e-3f);
}

// Bulk copies, and of unknown size.
void bulk(float *x, std::vector<float> &h, size_t n) {
  while (h[0] > 1) {
    step<<<1, 1>>>(x);
    cudaMemcpy(h.data(), x, 4096, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous
    cudaMemcpy(h.data(), x, n, cudaMemcpyDeviceToHost); // expect: same
  }
}

// The branch decides nothing for the GPU, and errors end the program.
void branches(float *x, int n) {
  float best = 0;
  for (int i = 0; i < n; ++i) {
    float value;
    step<<<1, 1>>>(x);
    cudaMemcpy(&value, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous
    if (value > best)
      best = value;
    cudaMemcpy(&value, x, 4, cudaMemcpyDeviceToHost); // expect: same
    if (value != value)
      std::abort();
  }
  if (best > 1)
    refine<<<1, 1>>>(x);
}

// The loop's condition is something else; once; pointers; the value is left.
void others(float *x, int n) {
  float value = 0;
  cudaMemcpy(&value, x, 4, cudaMemcpyDeviceToHost);
  if (value > 0)
    step<<<1, 1>>>(x);
  for (int i = 0; i < n && x; ++i) {
    step<<<1, 1>>>(x);
    cudaMemcpy(&value, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous
    value = 7;
    if (value > 0)
      refine<<<1, 1>>>(x);
  }
}

// By way of a field of the launch's configuration.
static int blocksFor(int n) { return (n + 255) / 256; }
void sizes(float *d, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(d);
    int active;
    cudaMemcpy(&active, d, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control high
    dim3 grid;
    grid.x = blocksFor(active);
    blocksFor(7); // changes nothing of it
    step<<<grid, 256>>>(d);
  }
}

// What a helper is given in one call is not what it returns from another.
static void distribute(int count, int &blocks, int &threads) {
  threads = count < 256 ? count : 256;
  blocks = (count + threads - 1) / threads;
}
static int gridFor(int count) { return (count + 255) / 256; }
void twoCalls(float *x, int n, int known) {
  for (int i = 0; i < n; ++i) {
    int blocks, threads, count, countBlocks, countThreads;
    distribute(known, blocks, threads);
    step<<<blocks, threads>>>(x);
    step<<<gridFor(known), 256>>>(x);
    cudaMemcpy(&count, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-printed high
    distribute(count, countBlocks, countThreads);
    std::printf("%d %d\n", countBlocks, gridFor(count));
  }
}
void ownCall(float *x, int n, int known) {
  for (int i = 0; i < n; ++i) {
    int blocks, threads, count;
    distribute(known, blocks, threads);
    step<<<blocks, threads>>>(x);
    cudaMemcpy(&count, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control high
    distribute(count, blocks, threads);
    refine<<<blocks, threads>>>(x);
  }
}
// Through two functions, and by a value that the inner one reads back.
static int rounded(int count) { return gridFor(count) * 256; }
static int counted(const float *x) {
  int count;
  cudaMemcpy(&count, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control low
  return count;
}
void nestedCalls(float *x, int n, int known) {
  for (int i = 0; i < n; ++i) {
    int count;
    step<<<rounded(known), 256>>>(x);
    cudaMemcpy(&count, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-printed high
    std::printf("%d\n", rounded(count));
    refine<<<rounded(counted(x)), 256>>>(x);
  }
}

// A container's size does not depend on the values in it.
void storeAll(float *x, int n) {
  float values[1] = {};
  std::vector<float> kept;
  for (int i = 0; i < n; ++i) {
    float value;
    step<<<1, 1>>>(x);
    cudaMemcpy(&value, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high; advice: ring of pinned slots
    kept.push_back(value);
    for (size_t k = 0; k < kept.size() && !kept.empty(); ++k)
      values[0] += 1;
  }
}
