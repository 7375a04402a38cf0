// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions as nccl.h, cudnn.h and others declare them.
#pragma once
extern "C" {
int ncclAllReduce(const void *, void *, unsigned long, void *);
int ncclGroupStart(void);
int ncclCommDestroy(void *);
int cudnnDestroy(void *);
int curandGeneratePoisson(void *, unsigned *, unsigned long, double);
int cusolverDnDestroy(void *);
int cusparseSpMV(void *);
int cusparseXcsrilu02_zeroPivot(void *);
int nvtxRangePop(void);
}
