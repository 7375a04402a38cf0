// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a declaration holds the call: initialisers of every kind, constructors
// that delegate, functions that a class defines inside of itself.
// RUN: %check_rewrite --run --strict --std=c++20
#include <array>
#include <cstdio>
#include <tuple>
#include <utility>

__global__ void k(int *) {}

// 0 as long as there is no GPU, whatever the call.
int failed(cudaError_t e) { return e == cudaSuccess; }

struct Result {
  cudaError_t first, second;
  int line = 0;
};
struct Nested {
  Result result;
  int numbers[2];
};

int designated(int *d) {AP_RANGE(0xc6e8dd1342eade94)
  Result plain{.first = (AP_SITE(0x1da12305c351a06b) cudaFree(d)), .second = (AP_SITE(0x8c00ce6f4855d933) cudaDeviceSynchronize()), .line = __LINE__};
  Nested nested = {.result = {.first = (AP_SITE(0xd81eae200f924dce) cudaMemset(d, 0, 4)), .second = {}, .line = 1}, .numbers = {failed((AP_SITE(0x1da12205c3519eb8) cudaFree(d))), 2}};
  auto *made = new Result{.first = cudaSuccess, .second = (AP_SITE(0x1da12505c351a3d1) cudaFree(d)), .line = 2};
  const int line = made->line;
  delete made;
  return failed(plain.first) + nested.numbers[1] + line;
}

consteval int twice(int n) { return 2 * n; }
constinit int before_main = twice(3);
constinit thread_local cudaError_t of_thread = cudaSuccess;

int at_compile_time(int *d) {AP_RANGE(0x3e0a406e3b9b69d7)
  static constinit int calls = 0;
  calls += failed((AP_SITE(0x2dff7e1ce9d1f139) cudaMemset(d, twice(1), 4)));
  of_thread = (AP_SITE(0x426df045f1a58ff4) cudaFree(d));
  AP_SITE(0x4865d161e866bd1a) k<<<twice(1), twice(2)>>>(d);
  return calls + failed(of_thread);
}

std::pair<cudaError_t, int> free_it(int *d) { return {(AP_SITE(0xe51f9c3b1747ba8b) cudaFree(d)), 3}; }

int bindings(int *d) {AP_RANGE(0xb961427416445b78)
  auto [error, number] = free_it(d);
  const auto &[a, b, c] = Result{(AP_SITE(0x4308180003593c8a) cudaMemset(d, 0, 4)), cudaSuccess};
  auto [x, y]{std::make_pair(1, (AP_SITE(0xce80dac73b6eb6df) cudaDeviceSynchronize()))};
  int array[] = {1, failed((AP_SITE(0xdcf1fa41e18d28e7) cudaFree(d)))};
  auto &[p, q] = array;
  int sum = 0;
  for (auto [key, value] : std::array<std::pair<int, cudaError_t>, 1>{std::make_pair(4, (AP_SITE(0xdcf1f941e18d2734) cudaFree(d)))})
    {AP_RANGE(0x60e413e4354ee2ca) sum += key + failed(value);}
  if (auto [again, n] = free_it(d); n)
    sum += failed(again);
  return failed(error) + number + failed(a) + failed(b) + c + x + failed(y) + p + q + sum;
}

cudaError_t operator""_free(unsigned long long address) {AP_RANGE(0xde6bef7a88d52227)
  std::printf("%llu\n", address);
  return AP_SITE(0xc55df2f258244584) cudaFree(nullptr);
}
cudaError_t operator""_free(const char *text, std::size_t size) {AP_RANGE(0xc6dc30df9f950198)
  std::printf("%s\n", text);
  return size ? (AP_SITE(0xc1bb9aacc90987ff) cudaDeviceSynchronize()) : cudaSuccess;
}
int literals() { return failed(7_free) + failed("name"_free); }

class Buffer {
  int *data = nullptr;
  cudaError_t error;

public:
  explicit Buffer(std::size_t bytes) : error((AP_SITE(0x2d42d469e30b9c13) cudaMalloc(&data, bytes))) { std::printf("%zu bytes\n", bytes); }
  Buffer() : Buffer(sizeof(int)) { error = (AP_SITE(0x08256302839691af) cudaMemset(data, 0, sizeof(int))); }
  explicit Buffer(cudaError_t first) : Buffer(first == cudaSuccess ? 4u : 8u) {}
  Buffer(int, int *d) : Buffer{(AP_SITE(0xa2683a916844b812) cudaFree(d))} {}
  Buffer(const Buffer &) = delete;
  ~Buffer() { AP_SITE(0x1555bb6cbba408b8) cudaFree(data); }

  friend int clear(Buffer &b) {AP_RANGE(0xb2b70f78e69ccee2)
    b.error = (AP_SITE(0x57e17b172645fcf4) cudaMemset(b.data, 0, 4));
    return failed(b.error);
  }
  friend bool operator==(const Buffer &a, const Buffer &b) { return (AP_SITE(0x932d5c759546211a) cudaDeviceSynchronize()) == a.error && a.data == b.data; }
  template <class T> friend int fill(Buffer &b, T value) {AP_RANGE(0x4e734a8bbadc6ff0)
    b.error = (AP_SITE(0x2f714ee208475c42) cudaMemset(b.data, static_cast<int>(value), 4));
    return failed(b.error);
  }
};

int constructors(int *d) {AP_RANGE(0x178655b54fff108b)
  Buffer one, two((AP_SITE(0x9630b2ee9f2fe690) cudaFree(d))), three(1, d);
  return clear(one) + fill(two, 'c') + (one == three);
}

int local_classes(int *d) {AP_RANGE(0x042e9e4be7895266)
  struct Local {
    int *data;
    cudaError_t error = (AP_SITE(0x2d391045978e7a33) cudaMemset(data, 0, 4));
    int run() {AP_RANGE(0x681b732aa1fde3fb)
      for (int i = 0; i < 2; ++i)
        {AP_RANGE(0x8018309d03c2d7c9) error = (AP_SITE(0x2443365642503e75) cudaMemset(data, i, 4));}
      return failed(error);
    }
    static int sync() { return failed((AP_SITE(0x8fc1913d0049c0f2) cudaDeviceSynchronize())); }
  };
  auto generic = [](auto *p) {
    struct InLambda {
      cudaError_t free(int *q) { return AP_SITE(0xc261c44228ba06ec) cudaFree(q); }
    };
    return failed(InLambda().free(p));
  };
  Local local{d};
  return local.run() + Local::sync() + generic(d);
}

int main() {AP_RANGE(0xfad8301dd312787a)
  int *d = nullptr;
  return designated(d) + at_compile_time(d) + bindings(d) + literals() + constructors(d) + local_classes(d) + before_main == 0;
}
AP_TABLE("0xc6e8dd1342eade94|function|24|5|declarations.cu|designated|;0x1da12305c351a06b|free|25|25|declarations.cu|designated|cudaFree;0x8c00ce6f4855d933|sync|25|48|declarations.cu|designated|cudaDeviceSynchronize;0xd81eae200f924dce|set|26|40|declarations.cu|designated|cudaMemset;0x1da12205c3519eb8|free|26|106|declarations.cu|designated|cudaFree;0x1da12505c351a3d1|free|27|59|declarations.cu|designated|cudaFree;0x3e0a406e3b9b69d7|function|37|5|declarations.cu|at_compile_time|;0x2dff7e1ce9d1f139|set|39|19|declarations.cu|at_compile_time|cudaMemset;0x426df045f1a58ff4|free|40|15|declarations.cu|at_compile_time|cudaFree;0x4865d161e866bd1a|launch|41|3|declarations.cu|at_compile_time|k;0xe51f9c3b1747ba8b|free|45|55|declarations.cu|free_it|cudaFree;0xb961427416445b78|function|47|5|declarations.cu|bindings|;0x4308180003593c8a|set|49|34|declarations.cu|bindings|cudaMemset;0xce80dac73b6eb6df|sync|50|33|declarations.cu|bindings|cudaDeviceSynchronize;0xdcf1fa41e18d28e7|free|51|28|declarations.cu|bindings|cudaFree;0x60e413e4354ee2ca|loop|54|3|declarations.cu|bindings|;0xdcf1f941e18d2734|free|54|89|declarations.cu|bindings|cudaFree;0xde6bef7a88d52227|function|61|13|declarations.cu|operator%22%22_free|;0xc55df2f258244584|free|63|10|declarations.cu|operator%22%22_free|cudaFree;0xc6dc30df9f950198|function|65|13|declarations.cu|operator%22%22_free|;0xc1bb9aacc90987ff|sync|67|17|declarations.cu|operator%22%22_free|cudaDeviceSynchronize;0x2d42d469e30b9c13|alloc|76|46|declarations.cu|Buffer::Buffer|cudaMalloc;0x08256302839691af|set|77|44|declarations.cu|Buffer::Buffer|cudaMemset;0xa2683a916844b812|free|79|32|declarations.cu|Buffer::Buffer|cudaFree;0x1555bb6cbba408b8|free|81|15|declarations.cu|Buffer::~Buffer|cudaFree;0xb2b70f78e69ccee2|function|83|14|declarations.cu|clear|;0x57e17b172645fcf4|set|84|15|declarations.cu|clear|cudaMemset;0x932d5c759546211a|sync|87|69|declarations.cu|operator==|cudaDeviceSynchronize;0x4e734a8bbadc6ff0|function|88|33|declarations.cu|fill|;0x2f714ee208475c42|set|89|15|declarations.cu|fill|cudaMemset;0x178655b54fff108b|function|94|5|declarations.cu|constructors|;0x9630b2ee9f2fe690|free|95|19|declarations.cu|constructors|cudaFree;0x042e9e4be7895266|function|99|5|declarations.cu|local_classes|;0x2d391045978e7a33|set|102|25|declarations.cu|Local|cudaMemset;0x681b732aa1fde3fb|function|103|9|declarations.cu|local_classes(int *)::Local::run|;0x8018309d03c2d7c9|loop|104|7|declarations.cu|local_classes(int *)::Local::run|;0x2443365642503e75|set|105|17|declarations.cu|local_classes(int *)::Local::run|cudaMemset;0x8fc1913d0049c0f2|sync|108|39|declarations.cu|local_classes(int *)::Local::sync|cudaDeviceSynchronize;0xc261c44228ba06ec|free|112|41|declarations.cu|local_classes(int *)::(lambda)::operator()(auto *)::InLambda::free|cudaFree;0xfad8301dd312787a|function|120|5|declarations.cu|main|;")
