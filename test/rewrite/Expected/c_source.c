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
    + __builtin_choose_expr(0, cudaFree(d), __extension__({AP_SITE_SCOPE(0xb0b001239ba5398e) cudaMemset(d, 0, 4);}) != cudaSuccess);
}

static cudaError_t expressions(void *d, int n) {AP_RANGE(0xdc5a16dbe207e6c4)
  cudaError_t e = __extension__({AP_SITE_SCOPE(0x5ed447319c3eee5e) cudaMemset(d, 0, 4);}), f;
  cudaError_t all[2];
  all[0] = __extension__({AP_SITE_SCOPE(0xdb0cef401969005b) cudaFree(d);});
  all[1] = n ? __extension__({AP_SITE_SCOPE(0xdb0cee401968fea8) cudaFree(d);}) : __extension__({AP_SITE_SCOPE(0x8b92d26e986b3883) cudaDeviceSynchronize();});
  f = e ? all[0] : __extension__({AP_SITE_SCOPE(0x8b92d16e986b36d0) cudaDeviceSynchronize();});
  if (__extension__({AP_SITE_SCOPE(0x5ed448319c3ef011) cudaMemset(d, 1, 4);}) && !__extension__({AP_SITE_SCOPE(0x8b92d46e986b3be9) cudaDeviceSynchronize();}))
    printf("unlikely\n");
  while (n-- > 0 && __extension__({AP_SITE_SCOPE(0x8b92d36e986b3a36) cudaDeviceSynchronize();}))
    {AP_RANGE(0xe90031b8157bce5e) printf("%d\n", n);}
  for (__extension__({AP_SITE_SCOPE(0xdb0cf140196903c1) cudaFree(d);}); n < 1; n++, __extension__({AP_SITE_SCOPE(0x8b92d66e986b3f4f) cudaDeviceSynchronize();}))
    {AP_RANGE(0xe90032b8157bd011) printf("%d\n", n);}
  (void)__extension__({AP_SITE_SCOPE(0xdb0cf0401969020e) cudaFree(d);});
  switch (__extension__({AP_SITE_SCOPE(0x8b92d56e986b3d9c) cudaDeviceSynchronize();})) {
  case cudaSuccess: printf("unlikely\n"); break;
  default: {AP_SITE_SCOPE(0xdb0cf34019690727) cudaFree(d);}
  }
  printf("%d %d %d\n", __extension__({AP_SITE_SCOPE(0xdb0cf24019690574) OK(cudaFree(d));}), e == f, (int)sizeof(cudaFree(d)));
  return __extension__({AP_SITE_SCOPE(0x8b92d86e986b42b5) cudaDeviceSynchronize();});
}

static int statements(void *d, int n) {AP_RANGE(0x9c8d6d503eaad71b)
  if (n)
    {AP_SITE_SCOPE(0x583bb493ef718520) cudaFree(d);}
  else
    {AP_SITE_SCOPE(0x4a7a7278a6344592) cudaDeviceSynchronize();}
  if (n)
    {AP_SITE_SCOPE(0x583bb593ef7186d3) CHECK(cudaFree(d));}
  {AP_SITE_SCOPE(0x4a7a7378a6344745) SYNC_NOW}
  {
    AP_SITE_BEGIN(0x583bb693ef718886) DECLARE(e, cudaFree(d)); AP_SITE_END(0x583bb693ef718886)
    {AP_SITE_SCOPE(0x583bb793ef718a39) TWICE(n += e != cudaSuccess && OK(cudaFree(d)));}
  }
  do
    {AP_RANGE(0x6c4124a2815a5369) {AP_SITE_SCOPE(0xfcc786af9686c255) cudaMemset(d, 0, 4);}}
  while (n-- > 1);
again:
  {AP_SITE_SCOPE(0x4a7a7078a634422c) cudaDeviceSynchronize();}
  if (n++ < 2)
    goto again;
  return n;
}

static void compound_literals(cudaStream_t s) {AP_RANGE(0xe91f01153a0c012e)
  cudaError_t e = cudaLaunchHostFunc(s, receive, &__extension__(struct Message){1});
  cudaMemset(__extension__(int[]){1, 2}, 0, 4);
  CHECK(cudaMemset(__extension__(int[]){3, 4}, 0, 4));
  (void)e;
}

int main(void) {AP_RANGE(0x67454b0f632c66a5)
  cudaError_t (*const constant)(void *) = cudaFree;
  cudaError_t (*variable)(void *) = cudaFree;
  printf("%d\n", expressions(0, 2) != cudaSuccess);
  printf("%d\n", statements(0, 1) + statements(0, 0) + never_evaluated(0));
  compound_literals(0);
  return __extension__({AP_SITE_SCOPE(0x5201968a3838742e) constant(0);}) == variable(0) ? 0 : 1;
}
AP_TABLE("0xb0b001239ba5398e|set|23|45|c_source.c|never_evaluated|cudaMemset;0xdc5a16dbe207e6c4|function|26|20|c_source.c|expressions|;0x5ed447319c3eee5e|set|27|19|c_source.c|expressions|cudaMemset;0xdb0cef401969005b|free|29|12|c_source.c|expressions|cudaFree;0xdb0cee401968fea8|free|30|16|c_source.c|expressions|cudaFree;")
AP_TABLE("0x8b92d26e986b3883|sync|30|30|c_source.c|expressions|cudaDeviceSynchronize;0x8b92d16e986b36d0|sync|31|20|c_source.c|expressions|cudaDeviceSynchronize;0x5ed448319c3ef011|set|32|7|c_source.c|expressions|cudaMemset;0x8b92d46e986b3be9|sync|32|31|c_source.c|expressions|cudaDeviceSynchronize;")
AP_TABLE("0xe90031b8157bce5e|loop|34|3|c_source.c|expressions|;0x8b92d36e986b3a36|sync|34|21|c_source.c|expressions|cudaDeviceSynchronize;0xe90032b8157bd011|loop|36|3|c_source.c|expressions|;0xdb0cf140196903c1|free|36|8|c_source.c|expressions|cudaFree;0x8b92d66e986b3f4f|sync|36|33|c_source.c|expressions|cudaDeviceSynchronize;")
AP_TABLE("0xdb0cf0401969020e|free|38|9|c_source.c|expressions|cudaFree;0x8b92d56e986b3d9c|sync|39|11|c_source.c|expressions|cudaDeviceSynchronize;0xdb0cf34019690727|free|41|12|c_source.c|expressions|cudaFree;0xdb0cf24019690574|free|43|27|c_source.c|expressions|cudaFree;0x8b92d86e986b42b5|sync|44|10|c_source.c|expressions|cudaDeviceSynchronize;")
AP_TABLE("0x9c8d6d503eaad71b|function|47|12|c_source.c|statements|;0x583bb493ef718520|free|49|5|c_source.c|statements|cudaFree;0x4a7a7278a6344592|sync|51|5|c_source.c|statements|cudaDeviceSynchronize;0x583bb593ef7186d3|free|53|11|c_source.c|statements|cudaFree;0x4a7a7378a6344745|sync|54|3|c_source.c|statements|cudaDeviceSynchronize;")
AP_TABLE("0x583bb693ef718886|free|56|16|c_source.c|statements|cudaFree;0x583bb793ef718a39|free|57|39|c_source.c|statements|cudaFree;0x6c4124a2815a5369|loop|59|3|c_source.c|statements|;0xfcc786af9686c255|set|60|5|c_source.c|statements|cudaMemset;0x4a7a7078a634422c|sync|63|3|c_source.c|statements|cudaDeviceSynchronize;")
AP_TABLE("0xe91f01153a0c012e|function|69|13|c_source.c|compound_literals|;0x67454b0f632c66a5|function|76|5|c_source.c|main|;0x5201968a3838742e|free|82|10|c_source.c|main|cudaFree;")
