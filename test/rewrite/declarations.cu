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

int designated(int *d) {
  Result plain{.first = cudaFree(d), .second = cudaDeviceSynchronize(), .line = __LINE__};
  Nested nested = {.result = {.first = cudaMemset(d, 0, 4), .second = {}, .line = 1}, .numbers = {failed(cudaFree(d)), 2}};
  auto *made = new Result{.first = cudaSuccess, .second = cudaFree(d), .line = 2};
  const int line = made->line;
  delete made;
  return failed(plain.first) + nested.numbers[1] + line;
}

consteval int twice(int n) { return 2 * n; }
constinit int before_main = twice(3);
constinit thread_local cudaError_t of_thread = cudaSuccess;

int at_compile_time(int *d) {
  static constinit int calls = 0;
  calls += failed(cudaMemset(d, twice(1), 4));
  of_thread = cudaFree(d);
  k<<<twice(1), twice(2)>>>(d);
  return calls + failed(of_thread);
}

std::pair<cudaError_t, int> free_it(int *d) { return {cudaFree(d), 3}; }

int bindings(int *d) {
  auto [error, number] = free_it(d);
  const auto &[a, b, c] = Result{cudaMemset(d, 0, 4), cudaSuccess};
  auto [x, y]{std::make_pair(1, cudaDeviceSynchronize())};
  int array[] = {1, failed(cudaFree(d))};
  auto &[p, q] = array;
  int sum = 0;
  for (auto [key, value] : std::array<std::pair<int, cudaError_t>, 1>{std::make_pair(4, cudaFree(d))})
    sum += key + failed(value);
  if (auto [again, n] = free_it(d); n)
    sum += failed(again);
  return failed(error) + number + failed(a) + failed(b) + c + x + failed(y) + p + q + sum;
}

cudaError_t operator""_free(unsigned long long address) {
  std::printf("%llu\n", address);
  return cudaFree(nullptr);
}
cudaError_t operator""_free(const char *text, std::size_t size) {
  std::printf("%s\n", text);
  return size ? cudaDeviceSynchronize() : cudaSuccess;
}
int literals() { return failed(7_free) + failed("name"_free); }

class Buffer {
  int *data = nullptr;
  cudaError_t error;

public:
  explicit Buffer(std::size_t bytes) : error(cudaMalloc(&data, bytes)) { std::printf("%zu bytes\n", bytes); }
  Buffer() : Buffer(sizeof(int)) { error = cudaMemset(data, 0, sizeof(int)); }
  explicit Buffer(cudaError_t first) : Buffer(first == cudaSuccess ? 4u : 8u) {}
  Buffer(int, int *d) : Buffer{cudaFree(d)} {}
  Buffer(const Buffer &) = delete;
  ~Buffer() { cudaFree(data); }

  friend int clear(Buffer &b) {
    b.error = cudaMemset(b.data, 0, 4);
    return failed(b.error);
  }
  friend bool operator==(const Buffer &a, const Buffer &b) { return cudaDeviceSynchronize() == a.error && a.data == b.data; }
  template <class T> friend int fill(Buffer &b, T value) {
    b.error = cudaMemset(b.data, static_cast<int>(value), 4);
    return failed(b.error);
  }
};

int constructors(int *d) {
  Buffer one, two(cudaFree(d)), three(1, d);
  return clear(one) + fill(two, 'c') + (one == three);
}

int local_classes(int *d) {
  struct Local {
    int *data;
    cudaError_t error = cudaMemset(data, 0, 4);
    int run() {
      for (int i = 0; i < 2; ++i)
        error = cudaMemset(data, i, 4);
      return failed(error);
    }
    static int sync() { return failed(cudaDeviceSynchronize()); }
  };
  auto generic = [](auto *p) {
    struct InLambda {
      cudaError_t free(int *q) { return cudaFree(q); }
    };
    return failed(InLambda().free(p));
  };
  Local local{d};
  return local.run() + Local::sync() + generic(d);
}

int main() {
  int *d = nullptr;
  return designated(d) + at_compile_time(d) + bindings(d) + literals() + constructors(d) + local_classes(d) + before_main == 0;
}
