// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls in what C++23 brought. nvcc 13 takes no C++ later than 20.
// RUN: %check_rewrite --run --strict --no-nvcc --std=c++23
#include <cstdio>
#include <vector>

__global__ void k(int *) {}
int failed(cudaError_t e) { return e == cudaSuccess; }

std::vector<int> two(cudaError_t e) { return {failed(e), 2}; }

int ranges(int *d) {
  int n = 0;
  for (int i : two(cudaFree(d)))
    n += i;
  for (using Number = int; Number i : {1, 2}) {
    cudaMemset(d, i, 4);
    n += i;
  }
  return n;
}

constexpr int anywhere(int *d) {
  if consteval {
    return 1;
  } else {
    return failed(cudaFree(d));
  }
}

int at_run_time(int *d) {
  if consteval {
    return 1;
  }
  if not consteval {
    cudaMemset(d, 0, 4);
  }
  return failed(cudaDeviceSynchronize());
}

struct Buffer {
  int *data = nullptr;
  int clear(this Buffer &self) {
    cudaMemset(self.data, 0, 4);
    return failed(cudaDeviceSynchronize());
  }
  template <class Self> int free(this Self &&self, int n) {
    for (; n > 0; --n)
      cudaFree(self.data);
    return n;
  }
  static cudaError_t operator()(int *d) { return cudaFree(d); }
  cudaError_t operator[](int first, int last) const { return cudaMemset(data + first, 0, last - first); }
};

int main() {
  int *d = nullptr;
  Buffer b;
  const auto size = 4uz;
  [[assume(size > 0)]];
  auto recursive = [&](this auto self, int n) -> int { return n ? failed(cudaFree(d)) + self(n - 1) : 0; };
  static_assert(anywhere(nullptr) == 1);
  std::printf("%d\n", ranges(d) + anywhere(d) + at_run_time(d) + b.clear() + b.free(2) + failed(b(d)) + failed(b[0, 1]) + recursive(2));
}
