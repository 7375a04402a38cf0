// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_rewrite --run --std=c++20
#include <coroutine>
#include <cstdio>
#include <vector>

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
__global__ void k() {}

// A coroutine may resume on another thread, where a probe or range that is open
// would end: only what cannot be suspended has one.
Task coroutine(int n) {
  for (int i = 0; i < n; ++i)
    k<<<1, 1>>>();
  co_await std::suspend_never();
  std::printf("%d\n", cudaDeviceSynchronize() != cudaSuccess);
}

#define BOTH(a, b)                                                             \
  do {                                                                         \
    a;                                                                         \
    b;                                                                         \
  } while (0)
// The text would put a probe around both: it has none for the second.
Task macros(int n) {
  BOTH(cudaFree(nullptr), cudaDeviceSynchronize());
  BOTH(co_await std::suspend_never(), cudaFree(nullptr));
  while (n-- > 0) {
    k<<<1, 1>>>();
    co_await std::suspend_never();
  }
  for (auto e : {cudaFree(nullptr)})
    std::printf("%d\n", e != cudaSuccess);
}

struct Value {
  struct promise_type {
    int value = 0;
    Value get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_never yield_value(cudaError_t e) { value += e != cudaSuccess; return {}; }
    void return_value(cudaError_t e) { value += e != cudaSuccess; }
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};
struct Ready {
  cudaError_t error;
  bool await_ready() { return true; }
  void await_suspend(std::coroutine_handle<>) {}
  cudaError_t await_resume() { return cudaFree(nullptr); }
};

Value values(int *d) {
  co_yield cudaFree(d);
  co_yield co_await Ready{cudaMemset(d, 0, 4)};
  auto lambda = [d]() -> Value { co_return cudaFree(d); };
  Value inner = lambda();
  inner.handle.destroy();
  co_return cudaDeviceSynchronize();
}

int starts_coroutines(int *d) {
  coroutine(1);
  macros(2);
  Value v = values(d);
  const int sum = v.handle.promise().value;
  v.handle.destroy();
  auto lambda = [d]() -> Value { co_return cudaFree(d); };
  Value last = lambda();
  last.handle.destroy();
  return sum;
}

consteval int at_compile_time(int n) { return n; }

template <class T>
  requires requires(T t) { cudaFree(t); }
void constrained(T t) {
  cudaFree(t);
  for (std::vector<int> v{1, 2}; int i : v)
    k<<<1, at_compile_time(1)>>>();
}

int main() {
  constrained(static_cast<int *>(nullptr));
  std::printf("%d\n", starts_coroutines(nullptr));
}
