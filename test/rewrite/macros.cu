// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_rewrite --run --std=c++11 --std=c++17 --std=c++20
#include <cstdio>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t error = (call);                                                \
    if (error != cudaSuccess)                                                  \
      std::printf("%s\n", #call);                                              \
  } while (0)
#define TRY(call) if ((call) == cudaSuccess) std::printf("unlikely\n")
#define BLOCK(call) { if ((call) == cudaSuccess) std::printf("unlikely\n"); }
#define FUNCTION(call) check((call), #call)
#define PAREN(call) (call)
#define ECHO(call) call
#define OPEN(call) call ==
#define GNU(call) ({ cudaError_t error_ = (call); error_; })
#define TWICE(call) do { call; call; } while (0)
#define RETURN(call) return call
#define DECLARE(name, call) cudaError_t name = call
#define TWO(a, b) do { a; b; } while (0)
#define NESTED(call) CHECK(PAREN(call))
#define LAUNCH(d) k<<<1, 1>>>(d)
#define LAUNCH_STATEMENT(d) do { k<<<1, 1>>>(d); cudaDeviceSynchronize(); } while (0)
#define SYNC cudaDeviceSynchronize
#define SYNC_NOW cudaDeviceSynchronize()
#define FOR_EACH(i, n) for (int i = 0; i < n; ++i)
#define BEGIN {
#define WITH_SEMICOLON cudaDeviceSynchronize();
#define CALL_WITH_SEMICOLON(call) call;
#define TWO_WITH_SEMICOLONS(d) cudaMemset(d, 0, 4); k<<<1, 1>>>(d);
#define IF_OK(call) if ((call) == cudaSuccess)
#define CASE(n, call) case n: call
#define DISPATCH(...) [&] { __VA_ARGS__ }()

__global__ void k(int *d) {}
void check(cudaError_t e, const char *what) { std::printf("%d %s\n", e != cudaSuccess, what); }

cudaError_t statements(int *d, bool b) {
  CHECK(cudaMemset(d, 0, 4));
  CHECK(
      cudaMemset(d, 0, sizeof(int)
                 * 2));
  TRY(cudaMemset(d, 1, 4));
  BLOCK(cudaMemset(d, 2, 4));
  if (b)
    CHECK(cudaFree(d));
  else
    CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 3; ++i)
    CHECK(cudaMemset(d, i, 4));
  NESTED(cudaMemset(d, 3, 4));
  TWICE(cudaDeviceSynchronize());
  TWO(cudaFree(d), cudaFree(nullptr));
  CHECK(PAREN(cudaFree(d)));
  ECHO(cudaFree(d));
  ECHO(cudaFree(d); cudaFree(nullptr));
  RETURN(cudaDeviceSynchronize());
}

void expressions(int *d) {
  FUNCTION(cudaMemset(d, 0, 4));
  cudaError_t e = PAREN(cudaFree(d));
  e = GNU(cudaFree(d));
  e = ECHO(cudaFree(d));
  bool b = OPEN(cudaFree(d)) cudaSuccess;
  b = OPEN(cudaFree(d)) cudaSuccess;
  b = OPEN(cudaFree(d)) cudaDeviceSynchronize();
  check(PAREN(cudaFree(d)), "yes"), check(e, PAREN(cudaDeviceSynchronize()) ? "yes" : "no");
  if (PAREN(cudaFree(d)) == e && b)
    FUNCTION(cudaFree(d));
}

void from_the_body(int *d) {
  LAUNCH(d);
  LAUNCH_STATEMENT(d);
  PAREN(LAUNCH(d));
  check(SYNC(), "renamed");
  SYNC();
  check(SYNC_NOW, "object-like");
  FOR_EACH(i, 3) { LAUNCH(d); }
  FOR_EACH(i, 3) LAUNCH(d);
}

void declares_and_lambdas(int *d) {
  DECLARE(e, cudaFree(d));
  DISPATCH(k<<<1, 1>>>(d););
  (void)e;
}

int semicolons(int *d, int n) {
  WITH_SEMICOLON
  WITH_SEMICOLON;
  CALL_WITH_SEMICOLON(cudaFree(d));
  CALL_WITH_SEMICOLON(check(PAREN(cudaFree(d)), "nested"))
  TWO_WITH_SEMICOLONS(d)
  if (n)
    WITH_SEMICOLON
  if (n)
    CALL_WITH_SEMICOLON(cudaFree(d));
  for (int i = 0; i < n; ++i)
    WITH_SEMICOLON
  switch (n) {
  case 0:
    WITH_SEMICOLON
    break;
  case 1:
    TWO_WITH_SEMICOLONS(d);
    break;
  CASE(2, cudaFree(d));
  default:
    WITH_SEMICOLON
  }
  int a = ({ WITH_SEMICOLON 1; });
  a += ({ (void)n; TWICE(cudaFree(d)); 2; });
  IF_OK(cudaFree(d)) {
    k<<<1, 1>>>(d);
  }
  return a;
}

int jumps(int *d, int n) {
  if (n > 3)
    goto end;
  ECHO(cudaFree(d); cudaFree(nullptr));
  { ECHO(cudaFree(d); cudaFree(nullptr)); }
end:
  return n;
}

void hidden_brace(int *d) BEGIN
  k<<<1, 1>>>(d);
  k<<<1, 1>>>(d);
}

int main() {
  int *d = nullptr;
  std::printf("%d\n", statements(d, true) != cudaSuccess);
  expressions(d);
  from_the_body(d);
  declares_and_lambdas(d);
  int sum = 0;
  for (int n = 0; n < 4; ++n)
    sum += semicolons(d, n);
  std::printf("%d %d\n", sum, jumps(d, 1) + jumps(d, 5));
  hidden_brace(d);
  std::printf("%d\n", __LINE__);
}
