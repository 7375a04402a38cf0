// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of libraries that queue work or may wait are sites, without a call of
// CUDA's own in the file; those that do neither are not. A function of the
// user's with the same name is not, either.
// RUN: %clangxx -fplugin=%plugin -isystem %S/Inputs/libraries -c %s -o %t.o
// RUN: llvm-objcopy --dump-section .note.autoprof=%t.note %t.o
// RUN: grep -a ncclAllReduce %t.note
// RUN: grep -a ncclCommDestroy %t.note
// RUN: grep -a cudnnDestroy %t.note
// RUN: grep -a curandGeneratePoisson %t.note
// RUN: grep -a cusolverDnDestroy %t.note
// RUN: grep -a cusparseXcsrilu02_zeroPivot %t.note
// RUN: not grep -a ncclGroupStart %t.note
// RUN: not grep -a cusparseSpMV %t.note
// RUN: not grep -a nvtxRangePop %t.note
// RUN: not grep -a cufftPlan1d %t.note
#include <libraries.h>

void cufftPlan1d(int *plan) { *plan = 1; }

void finish(void *handle, float *x, unsigned *n) {
  int plan;
  cufftPlan1d(&plan);
  ncclGroupStart();
  ncclAllReduce(x, x, 1, handle);
  curandGeneratePoisson(handle, n, 1, 2.0);
  cusparseSpMV(handle);
  cusparseXcsrilu02_zeroPivot(handle);
  cusolverDnDestroy(handle);
  ncclCommDestroy(handle);
  cudnnDestroy(handle);
  nvtxRangePop();
}
