// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP that clang was not told to obey: another compiler may be. Nothing may
// stand between the loops that a clause makes one.
// RUN: %check_rewrite --nvcc-flag=-Xcompiler=-fopenmp --std=c++17
__global__ void k(int *d) {}

#define DEPTH 2

void collapsed(int *d, int n) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      k<<<1, 1>>>(d + i * n + j);

  /* before */
#  pragma omp parallel for \
      schedule(static) \
      collapse ( 3 )

  // between
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      for (int l = 0; l < n; ++l) {
        for (int m = 0; m < 2; ++m)
          k<<<1, 1>>>(d + l);
      }
    }

#pragma omp parallel for collapse(DEPTH)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      k<<<1, 1>>>(d);

  _Pragma("omp parallel for collapse(2)") for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      k<<<1, 1>>>(d);

#pragma omp parallel for ordered(2)
  for (int i = 1; i < n; ++i)
    for (int j = 1; j < n; ++j) {
#pragma omp ordered depend(sink : i - 1, j)
      k<<<1, 1>>>(d);
#pragma omp ordered depend(source)
    }
}

void single(int *d, int n) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      k<<<1, 1>>>(d);
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      k<<<1, 1>>>(d);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      k<<<1, 1>>>(d);
}
