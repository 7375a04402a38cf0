// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that OpenMP's directives make, and threads of its own.
// RUN: %check_rewrite --clang-flag=-fopenmp --nvcc-flag=-Xcompiler=-fopenmp --std=c++17
__global__ void k(int *d) {}

#define CHECK(call) do { if ((call) != cudaSuccess) failed = true; } while (0)

bool on_threads(int *d, int n) {AP_RANGE(0x4cb752fdcc402568)
  bool failed = false;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {AP_RANGE(0x114e049f2c10305a)
    AP_SITE(0x4a1592ace61b147b) k<<<1, 1>>>(d + i);
    {AP_SITE_SCOPE(0x113564290976e62f) CHECK(cudaDeviceSynchronize());}
  }
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      {AP_RANGE(0x114e029f2c102cf4) AP_SITE(0x4a1591ace61b12c8) k<<<1, 1>>>(d + i * n + j);}
#pragma omp parallel
  {
    AP_SITE(0x4a1594ace61b17e1) k<<<1, 1>>>(d);
#pragma omp critical
    AP_SITE(0xafd7196c7b1fd951) cudaStreamSynchronize(nullptr);
#pragma omp single
    {AP_SITE_SCOPE(0xfcd0276f08c58357) CHECK(cudaFree(d));}
#pragma omp master
    {
      AP_SITE(0x113563290976e47c) cudaDeviceSynchronize();
    }
  }
#pragma omp parallel sections
  {
#pragma omp section
    AP_SITE(0x4a1593ace61b162e) k<<<1, 1>>>(d);
#pragma omp section
    AP_SITE(0x113566290976e995) cudaDeviceSynchronize();
  }
  if (n)
#pragma omp task
    AP_SITE(0x113565290976e7e2) cudaDeviceSynchronize();
#pragma omp atomic
  n++;
  return failed;
}
AP_TABLE("0x4cb752fdcc402568|function|8|6|openmp.cu|on_threads|;0x114e049f2c10305a|loop|11|3|openmp.cu|on_threads|;0x4a1592ace61b147b|launch|12|5|openmp.cu|on_threads|k;0x113564290976e62f|sync|13|11|openmp.cu|on_threads|cudaDeviceSynchronize;0x114e029f2c102cf4|loop|17|5|openmp.cu|on_threads|;0x4a1591ace61b12c8|launch|18|7|openmp.cu|on_threads|k;0x4a1594ace61b17e1|launch|21|5|openmp.cu|on_threads|k;0xafd7196c7b1fd951|sync|23|5|openmp.cu|on_threads|cudaStreamSynchronize;0xfcd0276f08c58357|free|25|11|openmp.cu|on_threads|cudaFree;0x113563290976e47c|sync|28|7|openmp.cu|on_threads|cudaDeviceSynchronize;0x4a1593ace61b162e|launch|34|5|openmp.cu|on_threads|k;0x113566290976e995|sync|36|5|openmp.cu|on_threads|cudaDeviceSynchronize;0x113565290976e7e2|sync|40|5|openmp.cu|on_threads|cudaDeviceSynchronize;")
