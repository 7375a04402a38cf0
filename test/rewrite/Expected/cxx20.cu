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
    {AP_RANGE(0x20567ba2edb90d44) AP_SITE(0x7c8756694dd1dc91) k<<<1, 1>>>();}
  co_await std::suspend_never();
  std::printf("%d\n", (AP_SITE(0x44cea75f61626b69) cudaDeviceSynchronize()) != cudaSuccess);
}

#define BOTH(a, b)                                                             \
  do {                                                                         \
    a;                                                                         \
    b;                                                                         \
  } while (0)
// The text would put a probe around both: it has none for the second.
Task macros(int n) {
  {AP_SITE_SCOPE(0xe8b343ab00764cde) {AP_SITE_SCOPE(0x707252fbeb134af0) BOTH(cudaFree(nullptr), cudaDeviceSynchronize());}}
  BOTH(co_await std::suspend_never(), cudaFree(nullptr));
  while (n-- > 0) {
    AP_SITE(0x31d845d5f8965768) k<<<1, 1>>>();
    co_await std::suspend_never();
  }
  for (auto e : {cudaFree(nullptr)})
    {AP_RANGE(0x35ca2e795038845c) std::printf("%d\n", e != cudaSuccess);}
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
  cudaError_t await_resume() { return AP_SITE(0x8cead4a00cd76ba7) cudaFree(nullptr); }
};

Value values(int *d) {
  co_yield cudaFree(d);
  co_yield co_await Ready{cudaMemset(d, 0, 4)};
  auto lambda = [d]() -> Value { co_return (AP_SITE(0x5a4968aeaa58b1f0) cudaFree(d)); };
  Value inner = lambda();
  inner.handle.destroy();
  co_return (AP_SITE(0xb6fedd27aca25bfb) cudaDeviceSynchronize());
}

int starts_coroutines(int *d) {AP_RANGE(0x7cfc926ec76c13c7)
  coroutine(1);
  macros(2);
  Value v = values(d);
  const int sum = v.handle.promise().value;
  v.handle.destroy();
  auto lambda = [d]() -> Value { co_return (AP_SITE(0xa5c858930cb80ce4) cudaFree(d)); };
  Value last = lambda();
  last.handle.destroy();
  return sum;
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
  std::printf("%d\n", starts_coroutines(nullptr));
}
AP_TABLE("0x20567ba2edb90d44|loop|21|3|cxx20.cu|coroutine|;0x7c8756694dd1dc91|launch|22|5|cxx20.cu|coroutine|k;0x44cea75f61626b69|sync|24|23|cxx20.cu|coroutine|cudaDeviceSynchronize;0xe8b343ab00764cde|free|34|8|cxx20.cu|macros|cudaFree;0x707252fbeb134af0|sync|34|27|cxx20.cu|macros|cudaDeviceSynchronize;0x31d845d5f8965768|launch|37|5|cxx20.cu|macros|k;0x35ca2e795038845c|loop|40|3|cxx20.cu|macros|;0x8cead4a00cd76ba7|free|60|39|cxx20.cu|Ready::await_resume|cudaFree;0x5a4968aeaa58b1f0|free|66|44|cxx20.cu|values|cudaFree;0xb6fedd27aca25bfb|sync|69|13|cxx20.cu|values|cudaDeviceSynchronize;0x7cfc926ec76c13c7|function|72|5|cxx20.cu|starts_coroutines|;0xa5c858930cb80ce4|free|78|44|cxx20.cu|starts_coroutines|cudaFree;0x8e55feabe15b3081|function|88|6|cxx20.cu|constrained|;0x448d3360aa216202|free|89|3|cxx20.cu|constrained|cudaFree;0x802fc6ae860aca03|loop|90|3|cxx20.cu|constrained|;0xbcbea963700009fc|launch|91|5|cxx20.cu|constrained|k;0x02bff63e601431ea|function|94|5|cxx20.cu|main|;")
