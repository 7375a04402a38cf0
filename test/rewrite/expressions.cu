// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_rewrite --run --std=c++17 --std=c++20
#include <cstdio>
#include <initializer_list>

__global__ void k(int *d) {}
bool ok(cudaError_t e, int line = 0) {
  std::printf("%s %d\n", e == cudaSuccess ? "ok" : "failed", line);
  return e != cudaSuccess;
}
struct Values {
  int numbers[2] = {1, 2};
  int *begin() { return numbers; }
  int *end() { return numbers + 2; }
};
struct Stream {
  Stream &operator<<(cudaError_t e) { return ok(e), *this; }
} out;

cudaError_t global = cudaDeviceSynchronize();

cudaError_t initialisers(int *d) {
  cudaError_t a = cudaMemset(d, 0, 4), b(cudaMemset(d, 1, 4)), c{cudaMemset(d, 2, 4)};
  static cudaError_t s = cudaDeviceSynchronize();
  auto &&r = cudaDeviceSynchronize();
  const cudaError_t array[] = {cudaFree(d), cudaFree(nullptr)};
  a = cudaFree(d);
  a = b = cudaFree(d);
  return a == c && r == s ? array[0] : cudaFree(d);
}

cudaError_t conditions(int *d) {
  if (cudaMemset(d, 0, 4) == cudaSuccess)
    return cudaDeviceSynchronize();
  if (cudaError_t e = cudaMemset(d, 0, 4))
    ok(e);
  if (cudaMemset(d, 1, 4); d)
    ok(cudaDeviceSynchronize(), __LINE__);
  while (!cudaDeviceSynchronize()) {
    break;
  }
  do {
  } while (!cudaDeviceSynchronize());
  switch (cudaDeviceSynchronize()) {
  case cudaSuccess: break;
  default: return cudaFree(d);
  }
  for (; !cudaDeviceSynchronize();)
    ;
  return cudaError_t(cudaFree(d));
}

void operands(int *d, bool b) {
  b ? cudaFree(d) : cudaDeviceSynchronize();
  b ? k<<<1, 1>>>(d) : (void)0;
  b && ok(cudaFree(d)) && ok(cudaDeviceSynchronize());
  ok(cudaFree(d)), k<<<1, 1>>>(d);
  (void)cudaDeviceSynchronize();
  static_cast<void>(cudaDeviceSynchronize());
  out << cudaDeviceSynchronize() << cudaFree(d);
  int a[2] = {0, 1};
  a[cudaDeviceSynchronize() == cudaSuccess] = cudaFree(d) == cudaSuccess ? 1 : 2;
  for (cudaError_t e : {cudaFree(d), cudaSuccess})
    ok(e);
  Values (*values)(cudaError_t) = [](cudaError_t) { return Values(); };
  for (int e : values(cudaFree(d)))
    a[0] = e;
  if (b)
    throw cudaFree(d);
}

struct Member {
  cudaError_t first = cudaDeviceSynchronize(), second;
  Member(int *d) : second(cudaFree(d)) {}
  Member() : second{cudaDeviceSynchronize()} {}
};

void default_argument(int n, cudaError_t e = cudaDeviceSynchronize());

void lambdas(int *d) {
  auto copy = [e = cudaDeviceSynchronize()] { return e; };
  auto launch = [=](int n) {
    for (int i = 0; i < n; ++i)
      k<<<1, 1>>>(d);
    return cudaGetLastError() ? cudaDeviceSynchronize() : cudaSuccess;
  };
  launch(copy());
  ok([&] { return cudaFree(d); }());
}

unsigned never_evaluated(int *d) {
  decltype(cudaFree(d)) e = cudaSuccess;
  static_assert(sizeof(cudaFree(d)) == sizeof e, "");
  return sizeof(cudaDeviceSynchronize()) + noexcept(cudaFree(d)) + alignof(decltype(cudaFree(d)));
}

int main() {
  int *d = nullptr;
  ok(initialisers(d));
  ok(conditions(d));
  operands(d, false);
  try {
    operands(d, true);
  } catch (cudaError_t e) {
    ok(e);
  }
  ok(Member(d).second);
  ok(Member().second);
  lambdas(d);
  return never_evaluated(d) == 0 || global == cudaSuccess;
}
