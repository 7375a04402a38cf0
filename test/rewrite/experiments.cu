// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that `postpone` changes, in every form, and calls that stay as they are.
// RUN: %check_rewrite --probe %include/autoprof/experiment.h --strict --clang-flag=-Wno-gnu-statement-expression --std=c++11 --std=c++17 --std=c++20 -- -fplugin-arg-autoprof-postpone=experiments.cu:24,experiments.cu:25,experiments.cu:27,experiments.cu:28,experiments.cu:29,experiments.cu:30,experiments.cu:31,experiments.cu:33,experiments.cu:35,experiments.cu:36,experiments.cu:37,experiments.cu:38,experiments.cu:39,experiments.cu:40,experiments.cu:41,experiments.cu:42,experiments.cu:43,experiments.cu:44,experiments.cu:45,experiments.cu:46,experiments.cu:47,experiments.cu:52,experiments.cu:53,experiments.cu:56
#include <cuda.h>
#include <cstdio>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t error = (call);                                                \
    if (error != cudaSuccess)                                                  \
      std::printf("%s\n", #call);                                              \
  } while (0)
#define TRY(call) check((call), #call)
#define SYNC() cudaDeviceSynchronize()
#define DECLARE(name, call) cudaError_t name = call

__global__ void k(float *) {}
bool check(cudaError_t e, const char *what) {
  return e == cudaSuccess || std::printf("%s\n", what) != 0;
}

float copies(float *d, float *h, size_t n, cudaStream_t s, cudaEvent_t e) {
  float v = 0;
  cudaMemcpy(&v, d, sizeof v, cudaMemcpyDeviceToHost);
  cudaError_t error = cudaMemcpyAsync(h, d, n * sizeof *h, cudaMemcpyDeviceToHost, s);
  if (
      cudaMemcpyAsync(&v, d, 4, cudaMemcpyDeviceToHost) == error)
    CHECK(cudaMemcpy(&v, d, sizeof v, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpyAsync(&v, d, sizeof v, cudaMemcpyDeviceToHost, s));
  TRY(cudaMemcpy(&v, d, sizeof v, cudaMemcpyDeviceToHost));
  if (TRY(cudaMemcpy(&v, d, sizeof v, cudaMemcpyDeviceToHost))) // in a condition
    for (int i = 0; i < 2; ++i)
      TRY(cudaStreamSynchronize(s));
  else
    cudaDeviceSynchronize();
  cudaStreamSynchronize(s), cudaEventSynchronize(e);
  error = ::cudaStreamSynchronize(s);
  error = SYNC();
  TRY(SYNC());
  CHECK(cudaEventSynchronize(e));
  cuCtxSynchronize(), cuStreamSynchronize(s);
  DECLARE(declared, cudaDeviceSynchronize());
  cudaMemcpy(d, &v, sizeof v, cudaMemcpyHostToDevice);
  cudaMemcpy(&v, d, sizeof v, cudaMemcpyDefault);
  ::cudaMemcpy(&v, d, sizeof v, cudaMemcpyDeviceToHost);
  k<<<1, 1>>>(d);
  cudaFree(d);
  return error == declared ? v : 0;
}

template <class T> T of_template(const T *d, cudaStream_t s, T v = T()) {
  cudaMemcpy(&v, d, sizeof v, cudaMemcpyDeviceToHost);
  CHECK(cudaMemcpyAsync(&v, d, sizeof v, cudaMemcpyDeviceToHost, s));
  auto wait = [&] {
    // In a lambda.
    CHECK(cudaStreamSynchronize(s));
  };
  wait();
  return v;
}

int main() {
  float *d = nullptr, h[4];
  return static_cast<int>(copies(d, h, 4, 0, 0) + of_template(d, 0) + of_template(h, 0));
}
