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

void forms(int *d) {AP_RANGE(0x7e59e0af7595f008)
  int n = 1;
  auto by_copy = [=] { return AP_SITE(0x85d40848fbb30437) cudaFree(d); };
  auto by_reference = [&] { return ++n, (AP_SITE(0x484ca9ac3acd097a) cudaMemset(d, n, 4)); };
  auto with_init = [e = (AP_SITE(0xbca4d245a395164f) cudaDeviceSynchronize())] { return e; };
  auto generic = [](auto *p) { return AP_SITE(0x85d40748fbb30284) cudaFree(p); };
  auto mutating = [n]() mutable -> cudaError_t { ++n; return AP_SITE(0xbca4d145a395149c) cudaDeviceSynchronize(); };
  auto nested = [&] { return [&] { return AP_SITE(0x484caaac3acd0b2d) cudaMemset(d, 0, 4); }(); };
  (void)[] { return AP_SITE(0xbca4d445a39519b5) cudaDeviceSynchronize(); }();
  CHECK(by_copy());
  CHECK(by_reference());
  CHECK(with_init());
  CHECK(generic(d));
  CHECK(mutating());
  CHECK(nested());
  CHECK(call([] { return cudaDeviceSynchronize(); }));
  {AP_SITE_SCOPE(0x85d40a48fbb3079d) CHECK([&] { return cudaFree(d); }());}
}

void in_macros(int *d, int type) {AP_RANGE(0xa880fcd38f0ca39d)
  AP_SITE(0xfab13b911215182a) DISPATCH(type, [&] {
    fill<scalar_t><<<1, 1>>>(nullptr, scalar_t(2));
    std::printf("%d bytes\n", int(sizeof(scalar_t)));
  });
  const bool failed = (AP_SITE(0x272bdd62381f6aa7) DISPATCH(type, [&] { return cudaMemset(d, 0, sizeof(scalar_t)) != cudaSuccess; }));
  std::printf("%d\n", failed);
  LATER(free, [&] { return cudaFree(d); });
  CHECK(free());
}

void on_the_device(int n) {AP_RANGE(0x1c8e6ed9bf599acd)
  auto device = [=] __device__() { (void)n; };
  AP_SITE(0x84e2f273202f1a75) apply<<<1, 1>>>(device);
  AP_SITE(0x84e2f173202f18c2) apply<<<1, 1>>>([=] __device__() { (void)n; });
  auto both = [=] __host__ __device__() { (void)n; };
  AP_SITE(0x84e2f073202f170f) apply<<<1, 1>>>(both);
  auto not_probed = [=] __host__ __device__() { (void)cudaGetLastError(); };
  not_probed();
}

int main() {AP_RANGE(0x478214579e630ecf)
  forms(nullptr);
  in_macros(nullptr, 1);
  in_macros(nullptr, 2);
  on_the_device(1);
}
AP_TABLE("0x7e59e0af7595f008|function|32|6|lambdas.cu|forms|;0x85d40848fbb30437|free|34|31|lambdas.cu|forms|cudaFree;0x484ca9ac3acd097a|set|35|41|lambdas.cu|forms|cudaMemset;0xbca4d245a395164f|sync|36|25|lambdas.cu|forms|cudaDeviceSynchronize;0x85d40748fbb30284|free|37|39|lambdas.cu|forms|cudaFree;0xbca4d145a395149c|sync|38|62|lambdas.cu|forms|cudaDeviceSynchronize;0x484caaac3acd0b2d|set|39|43|lambdas.cu|forms|cudaMemset;0xbca4d445a39519b5|sync|40|21|lambdas.cu|forms|cudaDeviceSynchronize;0x85d40a48fbb3079d|free|48|22|lambdas.cu|forms|cudaFree;0xa880fcd38f0ca39d|function|51|6|lambdas.cu|in_macros|;0xfab13b911215182a|launch|53|5|lambdas.cu|in_macros|fill;0x272bdd62381f6aa7|set|56|51|lambdas.cu|in_macros|cudaMemset;0x1c8e6ed9bf599acd|function|62|6|lambdas.cu|on_the_device|;0x84e2f273202f1a75|launch|64|3|lambdas.cu|on_the_device|apply;0x84e2f173202f18c2|launch|65|3|lambdas.cu|on_the_device|apply;0x84e2f073202f170f|launch|67|3|lambdas.cu|on_the_device|apply;0x478214579e630ecf|function|72|5|lambdas.cu|main|;")
