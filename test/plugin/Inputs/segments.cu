// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "segments.h"
#include <vector>

__global__ void k() {}
void first(std::vector<int> v) {
  k<<<1, 1>>>();
  v.clear();
}
#include <deque>
#include "segments.h"
namespace wrapped {
int nothing(int n) { return n; }
#define CHECK(call) do { (void)(call); } while (0)
void   second(std::deque<int> &d) {
  d.clear();
  cudaDeviceSynchronize();
}
} // namespace wrapped
namespace wrapped {
void third() {
  k<<<1, 1>>>();
  nothing(3);
}
} void tiny() { CHECK(cudaDeviceSynchronize()); }
#include <cassert>
#include <list>

#define NOTHING
int main() {
  for (int i = 0; i < 3; ++i) {
    wrapped::third();
    NOTHING
  }
  return cudaDeviceSynchronize();
}
