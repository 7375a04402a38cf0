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

int partly_in_macros(int *d, int n) {
  for (int i = 0; i < 2; ++i)
    cudaFree(d TAIL_AND_MORE;
  for (int i = 0; i < 2; ++i)
    cudaFree(d) SEMICOLON
  for (int i = 0; i < 2; ++i)
    cudaFree(d TAIL;
  CALL_AND(cudaFree(d)) 1) SEMICOLON
  return n;
}

int value_of_a_block(int *d) {
  int n = 0;
  ({ n++; BLOCK(cudaFree(d)) });
  return n;
}

int before_a_label(int *d, int n) {
  {
    DECLARE(fine, cudaMemset(d, 0, 4));
    n += fine != cudaSuccess;
  }
  DECLARE(error, cudaMemset(d, 0, 4));
again:
  n += error != cudaSuccess;
  if (n < 4)
    goto again;
  return n;
}

int in_another_file(int *d) {
  int n = 0;
#include "Inputs/excluded_part.inc"
  return n;
}

cudaError_t tail(int *d) { return cudaMemset(d, 0, 4); }
cudaError_t tail_call(int *d) {
  if (d)
    cudaFree(d);
#ifdef __clang__
  [[clang::musttail]]
#endif
  return tail((cudaDeviceSynchronize(), d));
}

int asm_goto(int *d) {
#ifndef __CUDA_ARCH__
  asm goto("" : : : : out);
#endif
  cudaFree(d);
  for (int i = 0; i < 2; ++i)
    cudaDeviceSynchronize();
out:
  return 1;
}

int main() {
  int *d = nullptr;
  std::printf("%d\n", partly_in_macros(d, 0));
  std::printf("%d\n", value_of_a_block(d));
  std::printf("%d\n", before_a_label(d, 0));
  std::printf("%d\n", in_another_file(d));
  std::printf("%d\n", tail_call(d) != cudaSuccess);
  std::printf("%d\n", asm_goto(d));
}
