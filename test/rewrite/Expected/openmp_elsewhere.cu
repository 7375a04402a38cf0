// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP that clang was not told to obey: another compiler may be. Nothing may
// stand between the loops that a clause makes one.
// RUN: %check_rewrite --nvcc-flag=-Xcompiler=-fopenmp --std=c++17
__global__ void k(int *d) {}

#define DEPTH 2

void collapsed(int *d, int n) {AP_RANGE(0xe21b590c2f225359)
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      {AP_RANGE(0xc12bf1d721f27398) AP_SITE(0x9968407c45dcef14) k<<<1, 1>>>(d + i * n + j);}

  /* before */
#  pragma omp parallel for \
      schedule(static) \
      collapse ( 3 )

  // between
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      for (int l = 0; l < n; ++l) {AP_RANGE(0xc12bf6d721f27c17)
        for (int m = 0; m < 2; ++m)
          {AP_RANGE(0xc12bf5d721f27a64) AP_SITE(0x9968417c45dcf0c7) k<<<1, 1>>>(d + l);}
      }
    }

#pragma omp parallel for collapse(DEPTH)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      AP_SITE(0x9968427c45dcf27a) k<<<1, 1>>>(d);

  _Pragma("omp parallel for collapse(2)") for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      AP_SITE(0x9968437c45dcf42d) k<<<1, 1>>>(d);

#pragma omp parallel for ordered(2)
  for (int i = 1; i < n; ++i)
    for (int j = 1; j < n; ++j) {AP_RANGE(0x301f998eaefa882b)
#pragma omp ordered depend(sink : i - 1, j)
      AP_SITE(0x99683c7c45dce848) k<<<1, 1>>>(d);
#pragma omp ordered depend(source)
    }
}

void single(int *d, int n) {AP_RANGE(0xfae1463fef734bd4)
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i)
    {AP_RANGE(0xe812d2d1ffe20b8e) for (int j = 0; j < n; ++j)
      {AP_RANGE(0xe812d3d1ffe20d41) AP_SITE(0xd555839ea65f1e2f) k<<<1, 1>>>(d);}}
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      {AP_RANGE(0xe812d1d1ffe209db) AP_SITE(0xd555829ea65f1c7c) k<<<1, 1>>>(d);}
  for (int i = 0; i < n; ++i)
    {AP_RANGE(0xe812d6d1ffe2125a) for (int j = 0; j < n; ++j)
      {AP_RANGE(0xe812d7d1ffe2140d) AP_SITE(0xd555859ea65f2195) k<<<1, 1>>>(d);}}
}
AP_TABLE("0xe21b590c2f225359|function|9|6|openmp_elsewhere.cu|collapsed|;0xc12bf1d721f27398|loop|12|5|openmp_elsewhere.cu|collapsed|;0x9968407c45dcef14|launch|13|7|openmp_elsewhere.cu|collapsed|k;0xc12bf6d721f27c17|loop|23|7|openmp_elsewhere.cu|collapsed|;0xc12bf5d721f27a64|loop|24|9|openmp_elsewhere.cu|collapsed|;0x9968417c45dcf0c7|launch|25|11|openmp_elsewhere.cu|collapsed|k;0x9968427c45dcf27a|launch|32|7|openmp_elsewhere.cu|collapsed|k;0x9968437c45dcf42d|launch|36|7|openmp_elsewhere.cu|collapsed|k;0x301f998eaefa882b|loop|40|5|openmp_elsewhere.cu|collapsed|;0x99683c7c45dce848|launch|42|7|openmp_elsewhere.cu|collapsed|k;0xfae1463fef734bd4|function|47|6|openmp_elsewhere.cu|single|;0xe812d2d1ffe20b8e|loop|49|3|openmp_elsewhere.cu|single|;0xe812d3d1ffe20d41|loop|50|5|openmp_elsewhere.cu|single|;0xd555839ea65f1e2f|launch|51|7|openmp_elsewhere.cu|single|k;0xe812d1d1ffe209db|loop|54|5|openmp_elsewhere.cu|single|;0xd555829ea65f1c7c|launch|55|7|openmp_elsewhere.cu|single|k;0xe812d6d1ffe2125a|loop|56|3|openmp_elsewhere.cu|single|;0xe812d7d1ffe2140d|loop|57|5|openmp_elsewhere.cu|single|;0xd555859ea65f2195|launch|58|7|openmp_elsewhere.cu|single|k;")
