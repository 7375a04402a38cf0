// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reasons for which a place gets no probe, and no other test shows.
// RUN: %check_rewrite --run --std=c++17 -- -fplugin-arg-autoprof-exclude-files=*excluded*
#include <cstdio>

#define TAIL )
#define TAIL_AND_MORE ); n++
#define SEMICOLON ;
#define BLOCK(call) { if ((call) != cudaSuccess) n++; }
#define DECLARE(name, call) cudaError_t name = call
#define CALL_AND(call) call; count(

__global__ void k(int *d) {}
int counted = 0;
void count(int n) { counted += n; }

int partly_in_macros(int *d, int n) {AP_RANGE(0x9629302d9ccbaae5)
  {AP_SITE_SCOPE(0x704b2c3ed845c26e) for (int i = 0; i < 2; ++i)
    cudaFree(d TAIL_AND_MORE;}
  for (int i = 0; i < 2; ++i)
    AP_SITE(0x704b2d3ed845c421) cudaFree(d) SEMICOLON
  for (int i = 0; i < 2; ++i)
    {AP_RANGE(0x51bd84451b79cba5) AP_SITE(0x704b2a3ed845bf08) cudaFree(d TAIL;}
  CALL_AND(cudaFree(d)) 1) SEMICOLON
  return n;
}

int value_of_a_block(int *d) {AP_RANGE(0x595e8c09fe882597)
  int n = 0;
  ({ n++; BLOCK(cudaFree(d)) });
  return n;
}

int before_a_label(int *d, int n) {AP_RANGE(0xc5ead10b17796ce7)
  {
    AP_SITE_BEGIN(0x54aef4ce4f5fe029) DECLARE(fine, cudaMemset(d, 0, 4)); AP_SITE_END(0x54aef4ce4f5fe029)
    n += fine != cudaSuccess;
  }
  DECLARE(error, cudaMemset(d, 0, 4));
again:
  n += error != cudaSuccess;
  if (n < 4)
    goto again;
  return n;
}

int in_another_file(int *d) {AP_RANGE(0xcd24163320da13cc)
  int n = 0;
#include "Inputs/excluded_part.inc"
  return n;
}

cudaError_t tail(int *d) { return AP_SITE(0x49f3c60e3a3f21ee) cudaMemset(d, 0, 4); }
cudaError_t tail_call(int *d) {
  if (d)
    AP_SITE(0x7a0c0bf58197e682) cudaFree(d);
#ifdef __clang__
  [[clang::musttail]]
#endif
  return tail((cudaDeviceSynchronize(), d));
}

int asm_goto(int *d) {
#ifndef __CUDA_ARCH__
  asm goto("" : : : : out);
#endif
  AP_SITE(0x654d2729aae7886e) cudaFree(d);
  for (int i = 0; i < 2; ++i)
    AP_SITE(0xf7287e05aff1e320) cudaDeviceSynchronize();
out:
  return 1;
}

int main() {AP_RANGE(0xf5f4f5d4169d5ade)
  int *d = nullptr;
  std::printf("%d\n", partly_in_macros(d, 0));
  std::printf("%d\n", value_of_a_block(d));
  std::printf("%d\n", before_a_label(d, 0));
  std::printf("%d\n", in_another_file(d));
  std::printf("%d\n", tail_call(d) != cudaSuccess);
  std::printf("%d\n", asm_goto(d));
}
AP_TABLE("0x9629302d9ccbaae5|function|17|5|left_alone.cu|partly_in_macros|;0x704b2c3ed845c26e|free|19|5|left_alone.cu|partly_in_macros|cudaFree;0x704b2d3ed845c421|free|21|5|left_alone.cu|partly_in_macros|cudaFree;0x51bd84451b79cba5|loop|22|3|left_alone.cu|partly_in_macros|;0x704b2a3ed845bf08|free|23|5|left_alone.cu|partly_in_macros|cudaFree;0x595e8c09fe882597|function|28|5|left_alone.cu|value_of_a_block|;0xc5ead10b17796ce7|function|34|5|left_alone.cu|before_a_label|;0x54aef4ce4f5fe029|set|36|19|left_alone.cu|before_a_label|cudaMemset;0xcd24163320da13cc|function|47|5|left_alone.cu|in_another_file|;0x49f3c60e3a3f21ee|set|53|35|left_alone.cu|tail|cudaMemset;0x7a0c0bf58197e682|free|56|5|left_alone.cu|tail_call|cudaFree;0x654d2729aae7886e|free|67|3|left_alone.cu|asm_goto|cudaFree;0xf7287e05aff1e320|sync|69|5|left_alone.cu|asm_goto|cudaDeviceSynchronize;0xf5f4f5d4169d5ade|function|74|5|left_alone.cu|main|;")
