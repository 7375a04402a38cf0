// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands that are never evaluated get no probe and no line in the list.
// RUN: %check_rewrite --run --strict --std=c++20
#include <concepts>
#include <cstdio>
#include <type_traits>
#include <typeinfo>
#include <utility>

__global__ void k(int *) {}

template <class T>
concept Freeable = requires(T t) {
  cudaFree(t);
  { cudaMemset(t, 0, 4) } -> std::same_as<cudaError_t>;
  requires noexcept(t == t) && sizeof(cudaFree(t)) > 0;
};
template <class T> using Freed = decltype(cudaFree(std::declval<T>()));
template <class T, class = decltype(cudaFree(std::declval<T>()))> int can_free(T t) { return sizeof(t); }
template <class T> auto trailing(T t) -> decltype(cudaFree(t)) { return cudaSuccess; }
template <class T>
  requires Freeable<T> && requires(T t) { cudaDeviceSynchronize(); }
int constrained(T t) noexcept(noexcept(cudaFree(t))) {
  return sizeof(t);
}

int kept(int *d) {
  decltype(cudaFree(d)) e = cudaSuccess;
  static_assert(sizeof(cudaFree(d)) == sizeof e);
  static_assert(requires { cudaFree(d); });
  constexpr bool c = requires(int *p) { cudaMemset(p, 0, 4); };
  if constexpr (requires { cudaFree(d); })
    e = cudaMemset(d, 0, sizeof(cudaFree(d)));
  const auto size = sizeof(cudaDeviceSynchronize()) + noexcept(cudaFree(d)) + alignof(decltype(cudaFree(d)));
  const bool same = typeid(cudaFree(d)) == typeid(Freed<int *>);
  const int builtin = __builtin_constant_p(cudaFree(d));
  auto lambda = [](int *p) noexcept(noexcept(cudaFree(p))) -> decltype(cudaFree(p)) { return cudaFree(p); };
  int length[sizeof(lambda(d))] = {0};
  return e != cudaSuccess && c && same && builtin == 0 && lambda(d) != cudaSuccess ? static_cast<int>(size) + length[0] : 0;
}

// An operand of typeid is evaluated if its class has virtual functions.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpotentially-evaluated-expression"
#endif
struct Base { virtual ~Base() = default; };
Base base;
Base &made(cudaError_t e) { return e == cudaSuccess ? base : static_cast<Base &>(base); }
bool evaluated(int *d) { return typeid(made(cudaFree(d))) == typeid(Base); }

int main() {
  int *d = nullptr;
  std::printf("%d\n", kept(d) + can_free(d) + constrained(d) + static_cast<int>(trailing(d)) + evaluated(d));
}
