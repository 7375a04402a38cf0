// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "third_party/other.h"

__global__ void k(int *d) { d[0] = 1; }

namespace net {
void log(int *d) {
  k<<<1, 1>>>(d);
  cudaDeviceSynchronize();
}
struct Layer {
  void forward(int *d) {
    k<<<1, 1>>>(d);
    k<<<1, 1>>>(d);
    k<<<1, 1>>>(d);
  }
};
} // namespace net

// autoprof:skip
template <typename T>
void skipped_function(T *d) {
  cudaDeviceSynchronize();
  cudaDeviceSynchronize();
}

void statements(int *d, int h) {
  cudaDeviceSynchronize(); // autoprof:skip
  cudaDeviceSynchronize();
  cudaMemcpy(&h, d, 4,
             cudaMemcpyDeviceToHost); // autoprof:skip
  // autoprof:skip
  cudaMemcpy(&h,
             d, 4, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 3; ++i) { // autoprof:skip
    k<<<1, 1>>>(d);
    cudaDeviceSynchronize();
  }
  /* autoprof:skip */ cudaGetLastError(), cudaFree(d);
  const char *text = "// autoprof:skip"; cudaFree(0);
  (void)text;
  // autoprof:skip-begin
  cudaDeviceSynchronize();
  // autoprof:skip-end
  cudaDeviceSynchronize();
}

// autoprof:skip-begin
int *global = [] { int *p; cudaMalloc(&p, 4); return p; }();
// autoprof:skip-end

int small(int *d) { return cudaDeviceSynchronize(); }

int host(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += i;
  return sum;
}

int main() {
  int *d = nullptr;
  other(d);
  net::log(d);
  net::Layer().forward(d);
  statements(d, 1);
  skipped_function(d);
  return small(d) + host(3);
}
