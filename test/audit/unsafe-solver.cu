// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The info of a cuSOLVER call on a non-blocking stream is copied on the legacy
// stream, which does not wait for it.
// REQUIRES: cusolver
// RUN: %check_rules
#include <cusolverDn.h>

struct Info {
  int *p;
  Info() { cudaMallocAsync(&p, 4, 0); }
  ~Info() { cudaFreeAsync(p, 0); }
};

bool early(cusolverDnHandle_t h, double *a, int n, double *w, int *d_info, int m) {
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cusolverDnSetStream(h, s);
  int info;
  for (int i = 0; i < m; ++i) {
    cusolverDnDpotrf(h, CUBLAS_FILL_MODE_LOWER, n, a, n, w, n, d_info);
    cudaMemcpy(&info, d_info, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control
    if (info)
      return false;
  }
  for (int i = 0; i < m; ++i) {
    Info d;
    cusolverDnDpotrf(h, CUBLAS_FILL_MODE_LOWER, n, a, n, w, n, d.p);
    cudaMemcpy(&info, d.p, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control
    if (info)
      return false;
  }
  return true;
}

// Something waits for the solver first.
bool waits(cusolverDnHandle_t h, double *a, int n, double *w, int *d_info, int m) {
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cusolverDnSetStream(h, s);
  int info;
  for (int i = 0; i < m; ++i) {
    cusolverDnDpotrf(h, CUBLAS_FILL_MODE_LOWER, n, a, n, w, n, d_info);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop
    cudaMemcpy(&info, d_info, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control high
    if (info)
      return false;
  }
  return true;
}

// Another element, a stream that is not known, a blocking one.
bool others(cusolverDnHandle_t h, cusolverDnHandle_t g, double *a, int n,
            double *w, int *d_info, cudaStream_t t, int m) {
  cudaStream_t s, b;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreate(&b);
  int info;
  cusolverDnSetStream(h, s);
  for (int i = 0; i < m; ++i) {
    cusolverDnDpotrf(h, CUBLAS_FILL_MODE_LOWER, n, a, n, w, n, d_info + i);
    ++d_info;
    cudaMemcpy(&info, d_info + i, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high
  }
  cusolverDnSetStream(g, b);
  for (int i = 0; i < m; ++i) {
    cusolverDnDpotrf(g, CUBLAS_FILL_MODE_LOWER, n, a, n, w, n, w ? d_info : nullptr);
    cusolverDnDpotrs(g, CUBLAS_FILL_MODE_LOWER, n, 1, a, n, w, n, d_info);
    cudaMemcpy(&info, d_info, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high
  }
  return !info;
}
