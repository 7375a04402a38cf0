// The info of a cuSOLVER call is copied to the host in a loop.
// REQUIRES: cusolver
// RUN: %check_rules
#include <cusolverDn.h>

__global__ void step(double *x) { *x += 1; }

void each(cusolverDnHandle_t handle, double *a, double *work, int *pivots, int *d_info,
          int n, cudaStream_t s) {
  int info = 0, *pinned;
  cudaMallocHost(&pinned, sizeof(int));
  cusolverDnDgetrf(handle, n, n, a, n, work, pivots, d_info);
  cudaMemcpy(&info, d_info, sizeof(int), cudaMemcpyDeviceToHost); // once
  for (int i = 0; i < n; ++i) {
    cusolverDnDgetrf(handle, n, n, a, n, work, pivots, d_info);
    cudaMemcpy(&info, d_info, sizeof(int), cudaMemcpyDeviceToHost); // expect: autoprof-library-solver-info-readback medium
    if (info != 0)
      return;
  }
  for (int i = 0; i < n; ++i) {
    cusolverDnDgetrf(handle, n, n, a, n, work, pivots, d_info);
    cudaMemcpyAsync(pinned, d_info, sizeof(int), cudaMemcpyDeviceToHost, s); // expect: autoprof-library-solver-info-readback
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop
  }
}

// Methods of one class.
class Solver {
  cusolverDnHandle_t Handle;
  double *A, *Work;
  int *Info, *Pivots;

public:
  void factor(int n) { cusolverDnDgetrf(Handle, n, n, A, n, Work, Pivots, Info); }
  int check() {
    int info = 0;
    cudaMemcpy(&info, Info, sizeof(int), cudaMemcpyDeviceToHost); // expect: autoprof-library-solver-info-readback medium
    return info;
  }
};
int solve(Solver &s, int n) {
  int bad = 0;
  for (int i = 0; i < n; ++i) {
    s.factor(n);
    bad += s.check();
  }
  return bad;
}

// Other data, copied at other times or to other places.
void quiet(cusolverDnHandle_t handle, double *a, double *work, int *pivots, int *d_info,
           int *infos, double *kept, int n, cudaStream_t s) {
  int *pinned, info = 0;
  cudaMallocHost(&pinned, n * sizeof(int));
  for (int i = 0; i < n; ++i) {
    cusolverDnDgetrf(handle, n, n, a, n, work, pivots, d_info);
    cudaMemcpy(kept, a, n * sizeof(double), cudaMemcpyDeviceToDevice);
    cudaMemcpy(infos, d_info, sizeof(int), cudaMemcpyDeviceToDevice);
    cudaMemcpyAsync(pinned + i, d_info, sizeof(int), cudaMemcpyDeviceToHost, s); // nobody waits here
    cusolverDnDgetrf(handle, n, n, a, n, work, pivots, infos + i);
  }
  cudaMemcpy(pinned, infos, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 2; ++i) {
    cusolverDnDgetrf(handle, n, n, a, n, work, pivots, d_info);
    cudaMemcpy(&info, d_info, sizeof(int), cudaMemcpyDeviceToHost);
  }
}
// Information of another kind.
void other(double *d_info, double *h, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(d_info);
    cudaMemcpy(h, d_info, n, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous
  }
}
