// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lambdas: their bodies are host code with probes of its own. In a macro, one
// that is called on the spot is part of its expression; what happens to another
// one, nobody can tell.
// RUN: %check_rewrite --run --strict --nvcc-flag=--extended-lambda --std=c++14 --std=c++17 --std=c++20
#include <cstdio>

#define DISPATCH(type, ...)                                                    \
  [&] {                                                                        \
    switch (type) {                                                            \
    case 1: {                                                                  \
      using scalar_t = float;                                                  \
      return __VA_ARGS__();                                                    \
    }                                                                          \
    default: {                                                                 \
      using scalar_t = double;                                                 \
      return __VA_ARGS__();                                                    \
    }                                                                          \
    }                                                                          \
  }()
#define CHECK(call)                                                            \
  do {                                                                         \
    if ((call) != cudaSuccess)                                                 \
      std::printf("failed: %s\n", #call);                                      \
  } while (0)
#define LATER(name, ...) auto name = __VA_ARGS__

template <class T> __global__ void fill(T *d, T value) { *d = value; }
template <class F> __global__ void apply(F f) { f(); }
template <class F> cudaError_t call(F f) { return f(); }

void forms(int *d) {
  int n = 1;
  auto by_copy = [=] { return cudaFree(d); };
  auto by_reference = [&] { return ++n, cudaMemset(d, n, 4); };
  auto with_init = [e = cudaDeviceSynchronize()] { return e; };
  auto generic = [](auto *p) { return cudaFree(p); };
  auto mutating = [n]() mutable -> cudaError_t { ++n; return cudaDeviceSynchronize(); };
  auto nested = [&] { return [&] { return cudaMemset(d, 0, 4); }(); };
  (void)[] { return cudaDeviceSynchronize(); }();
  CHECK(by_copy());
  CHECK(by_reference());
  CHECK(with_init());
  CHECK(generic(d));
  CHECK(mutating());
  CHECK(nested());
  CHECK(call([] { return cudaDeviceSynchronize(); }));
  CHECK([&] { return cudaFree(d); }());
}

void in_macros(int *d, int type) {
  DISPATCH(type, [&] {
    fill<scalar_t><<<1, 1>>>(nullptr, scalar_t(2));
    std::printf("%d bytes\n", int(sizeof(scalar_t)));
  });
  const bool failed = DISPATCH(type, [&] { return cudaMemset(d, 0, sizeof(scalar_t)) != cudaSuccess; });
  std::printf("%d\n", failed);
  LATER(free, [&] { return cudaFree(d); });
  CHECK(free());
}

void on_the_device(int n) {
  auto device = [=] __device__() { (void)n; };
  apply<<<1, 1>>>(device);
  apply<<<1, 1>>>([=] __device__() { (void)n; });
  auto both = [=] __host__ __device__() { (void)n; };
  apply<<<1, 1>>>(both);
  auto not_probed = [=] __host__ __device__() { (void)cudaGetLastError(); };
  not_probed();
}

int main() {
  forms(nullptr);
  in_macros(nullptr, 1);
  in_macros(nullptr, 2);
  on_the_device(1);
}
