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
void constrained(T t) {AP_RANGE(0x8e55feabe15b3081)
  AP_SITE(0x448d3360aa216202) cudaFree(t);
  for (std::vector<int> v{1, 2}; int i : v)
    {AP_RANGE(0x802fc6ae860aca03) AP_SITE(0xbcbea963700009fc) k<<<1, at_compile_time(1)>>>();}
}

int main() {AP_RANGE(0x02bff63e601431ea)
  constrained(static_cast<int *>(nullptr));
  coroutine(1);
}
AP_TABLE("0x8e55feabe15b3081|function|28|6|cxx20.cu|constrained|;0x448d3360aa216202|free|29|3|cxx20.cu|constrained|cudaFree;0x802fc6ae860aca03|loop|30|3|cxx20.cu|constrained|;0xbcbea963700009fc|launch|31|5|cxx20.cu|constrained|k;0x02bff63e601431ea|function|34|5|cxx20.cu|main|;")
