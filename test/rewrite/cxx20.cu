// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_rewrite -- -std=c++20
#include <coroutine>
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

Task coroutine(int n) {
  for (int i = 0; i < n; ++i)
    k<<<1, 1>>>();
  co_await std::suspend_never();
  cudaDeviceSynchronize();
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
  coroutine(1);
}
