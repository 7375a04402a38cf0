// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls in what C++23 brought. nvcc 13 takes no C++ later than 20.
// RUN: %check_rewrite --run --strict --no-nvcc --std=c++23
#include <cstdio>
#include <vector>

__global__ void k(int *) {}
int failed(cudaError_t e) { return e == cudaSuccess; }

std::vector<int> two(cudaError_t e) { return {failed(e), 2}; }

int ranges(int *d) {AP_RANGE(0x3f29816509407bf9)
  int n = 0;
  for (int i : two(cudaFree(d)))
    {AP_RANGE(0xf532afcbbd783f6b) n += i;}
  for (using Number = int; Number i : {1, 2}) {AP_RANGE(0xf532aecbbd783db8)
    AP_SITE(0xa1234988a00b97eb) cudaMemset(d, i, 4);
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

int at_run_time(int *d) {AP_RANGE(0xdd1273a95d47c9dc)
  if consteval {
    return 1;
  }
  if not consteval {
    AP_SITE(0x1c8895894d119db6) cudaMemset(d, 0, 4);
  }
  return failed((AP_SITE(0x857186c143de6bab) cudaDeviceSynchronize()));
}

struct Buffer {
  int *data = nullptr;
  int clear(this Buffer &self) {AP_RANGE(0x6d15ccfc074d605d)
    AP_SITE(0x67893251b217e767) cudaMemset(self.data, 0, 4);
    return failed((AP_SITE(0xc3e9637e1b8f0f48) cudaDeviceSynchronize()));
  }
  template <class Self> int free(this Self &&self, int n) {AP_RANGE(0x59b4e650c384c6f1)
    for (; n > 0; --n)
      {AP_RANGE(0x59af112c96199d13) AP_SITE(0xb60b3b80608260f2) cudaFree(self.data);}
    return n;
  }
  static cudaError_t operator()(int *d) { return AP_SITE(0x83effd54a6259ba5) cudaFree(d); }
  cudaError_t operator[](int first, int last) const { return AP_SITE(0x86f40502d5ed45a9) cudaMemset(data + first, 0, last - first); }
};

int main() {AP_RANGE(0x974f77dfb1fd98e5)
  int *d = nullptr;
  Buffer b;
  const auto size = 4uz;
  [[assume(size > 0)]];
  auto recursive = [&](this auto self, int n) -> int { return n ? failed((AP_SITE(0xb83a02be4cc4006e) cudaFree(d))) + self(n - 1) : 0; };
  static_assert(anywhere(nullptr) == 1);
  std::printf("%d\n", ranges(d) + anywhere(d) + at_run_time(d) + b.clear() + b.free(2) + failed(b(d)) + failed(b[0, 1]) + recursive(2));
}
AP_TABLE("0x3f29816509407bf9|function|12|5|cxx23.cu|ranges|;0xf532afcbbd783f6b|loop|14|3|cxx23.cu|ranges|;0xf532aecbbd783db8|loop|16|3|cxx23.cu|ranges|;0xa1234988a00b97eb|set|17|5|cxx23.cu|ranges|cudaMemset;0xdd1273a95d47c9dc|function|31|5|cxx23.cu|at_run_time|;0x1c8895894d119db6|set|36|5|cxx23.cu|at_run_time|cudaMemset;0x857186c143de6bab|sync|38|17|cxx23.cu|at_run_time|cudaDeviceSynchronize;0x6d15ccfc074d605d|function|43|7|cxx23.cu|Buffer::clear|;0x67893251b217e767|set|44|5|cxx23.cu|Buffer::clear|cudaMemset;0xc3e9637e1b8f0f48|sync|45|19|cxx23.cu|Buffer::clear|cudaDeviceSynchronize;0x59b4e650c384c6f1|function|47|29|cxx23.cu|Buffer::free|;0x59af112c96199d13|loop|48|5|cxx23.cu|Buffer::free|;0xb60b3b80608260f2|free|49|7|cxx23.cu|Buffer::free|cudaFree;0x83effd54a6259ba5|free|52|50|cxx23.cu|Buffer::operator()|cudaFree;0x86f40502d5ed45a9|set|53|62|cxx23.cu|Buffer::operator[]|cudaMemset;0x974f77dfb1fd98e5|function|56|5|cxx23.cu|main|;0xb83a02be4cc4006e|free|61|74|cxx23.cu|main|cudaFree;")
