// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warnings.h"
#include <vector>
__global__ void k(int *d) { undeclared_on_device(); }
template <class T> void bad(T t) {
  cudaDeviceSynchronize(); t.missing();
}
void f(int *d) {
  k<<<1, 1>>>(d) k<<<1>>>(d);
  for (int i = 0; i < 3; ++i) cudaFree(d, 2); undeclared = 3;
  k(d);
  bad(3);
  std::vector<void> v;
  cudaMemcpy(d, d, 4);
}
void unfinished() {
  cudaDeviceSynchronize();
