/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* C has no destructors: GNU's cleanup attribute ends a probe, in a block or in
   a statement expression. gcc and clang take both, in C90 as well. */
#if 0
RUN: %check_rewrite --run --strict --clang-flag=-pedantic --nvcc-flag=-Xcompiler=-pedantic --std=c90 --std=gnu90 --std=c99 --std=gnu11 --std=c17 -- -isystem %cuda_path/include
#endif
#include <cuda_runtime_api.h>
#include <stdio.h>

#define CHECK(call) do { if ((call) != cudaSuccess) printf("failed: %s\n", #call); } while (0)
#define OK(call) ((call) == cudaSuccess)
#define SYNC_NOW cudaDeviceSynchronize();
#define DECLARE(name, call) cudaError_t name = call
#define TWICE(call) call; call

struct Message { int number; };

static void CUDART_CB receive(void *message) { ((struct Message *)message)->number++; }

static int never_evaluated(void *d) {
  return __builtin_constant_p(cudaFree(d)) + (int)__builtin_object_size((cudaFree(d), d), 1) + (int)sizeof(cudaFree(d))
    + __extension__ _Generic(cudaFree(d), cudaError_t: 1, default: cudaDeviceSynchronize())
    + __builtin_choose_expr(0, cudaFree(d), cudaMemset(d, 0, 4) != cudaSuccess);
}

static cudaError_t expressions(void *d, int n) {
  cudaError_t e = cudaMemset(d, 0, 4), f;
  cudaError_t all[2];
  all[0] = cudaFree(d);
  all[1] = n ? cudaFree(d) : cudaDeviceSynchronize();
  f = e ? all[0] : cudaDeviceSynchronize();
  if (cudaMemset(d, 1, 4) && !cudaDeviceSynchronize())
    printf("unlikely\n");
  while (n-- > 0 && cudaDeviceSynchronize())
    printf("%d\n", n);
  for (cudaFree(d); n < 1; n++, cudaDeviceSynchronize())
    printf("%d\n", n);
  (void)cudaFree(d);
  switch (cudaDeviceSynchronize()) {
  case cudaSuccess: printf("unlikely\n"); break;
  default: cudaFree(d);
  }
  printf("%d %d %d\n", OK(cudaFree(d)), e == f, (int)sizeof(cudaFree(d)));
  return cudaDeviceSynchronize();
}

static int statements(void *d, int n) {
  if (n)
    cudaFree(d);
  else
    cudaDeviceSynchronize();
  if (n)
    CHECK(cudaFree(d));
  SYNC_NOW
  {
    DECLARE(e, cudaFree(d));
    TWICE(n += e != cudaSuccess && OK(cudaFree(d)));
  }
  do
    cudaMemset(d, 0, 4);
  while (n-- > 1);
again:
  cudaDeviceSynchronize();
  if (n++ < 2)
    goto again;
  return n;
}

static void compound_literals(cudaStream_t s) {
  cudaError_t e = cudaLaunchHostFunc(s, receive, &__extension__(struct Message){1});
  cudaMemset(__extension__(int[]){1, 2}, 0, 4);
  CHECK(cudaMemset(__extension__(int[]){3, 4}, 0, 4));
  (void)e;
}

int main(void) {
  cudaError_t (*const constant)(void *) = cudaFree;
  cudaError_t (*variable)(void *) = cudaFree;
  printf("%d\n", expressions(0, 2) != cudaSuccess);
  printf("%d\n", statements(0, 1) + statements(0, 0) + never_evaluated(0));
  compound_literals(0);
  return constant(0) == variable(0) ? 0 : 1;
}
