// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pragma that is about a loop takes no brace next.
// RUN: %check_rewrite --nvcc-flag=-Xcompiler=-fopenmp --std=c++17
#define CHECK(call) do { if ((call) != cudaSuccess) failed = true; } while (0)

bool failed = false;
__global__ void k(int *d) {}

void of_loops(int *d, int n) {AP_RANGE(0xfd6d1b29fadb1f94)
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j)
      {AP_RANGE(0xa37193e3e2fbad01) AP_SITE(0x0b89df4889cc7def) k<<<1, 1>>>(d);}
  while (n-- > 0)
#pragma omp parallel for
    // between
    for (int j = 0; j < 4; ++j)
      {AP_RANGE(0xa37191e3e2fba99b) AP_SITE(0x0b89de4889cc7c3c) k<<<1, 1>>>(d);}
  for (int i = 0; i < n; ++i)
#pragma GCC ivdep
    for (int j = 0; j < 4; ++j) {AP_RANGE(0xa37197e3e2fbb3cd)
      AP_SITE(0x0b89e14889cc8155) k<<<1, 1>>>(d);
    }
  for (int i = 0; i < n; ++i)
    {AP_RANGE(0xa37194e3e2fbaeb4) _Pragma("unroll") for (int j = 0; j < 4; ++j)
      AP_SITE(0x0b89e04889cc7fa2) k<<<1, 1>>>(d);}
  for (int i = 0; i < n; ++i) {AP_RANGE(0xa3718ae3e2fb9db6)
#pragma unroll 2
    for (int j = 0; j < 4; ++j)
      {AP_RANGE(0xa3718be3e2fb9f69) AP_SITE(0x0b89db4889cc7723) k<<<1, 1>>>(d);}
  }
}

void of_others(int *d, int n) {AP_RANGE(0xb1563769fc880f14)
#pragma GCC diagnostic push
  {AP_SITE_SCOPE(0x37f775d0728fdceb) CHECK(cudaFree(d));}
#pragma GCC diagnostic pop
#pragma omp critical
  {AP_SITE_SCOPE(0x37f774d0728fdb38) CHECK(cudaFree(d));}
  for (int i = 0; i < n; ++i)
#pragma nv_diag_suppress 177
    {AP_RANGE(0xae6215fb9d4f62ce) {AP_SITE_SCOPE(0x37f777d0728fe051) CHECK(cudaFree(d));}}
  for (int i = 0; i < n; ++i)
#pragma omp critical
    {AP_RANGE(0xae6216fb9d4f6481) AP_SITE(0x48c49a202227c06f) k<<<1, 1>>>(d);}
}
AP_TABLE("0xfd6d1b29fadb1f94|function|9|6|pragmas.cu|of_loops|;0xa37193e3e2fbad01|loop|12|5|pragmas.cu|of_loops|;0x0b89df4889cc7def|launch|13|7|pragmas.cu|of_loops|k;0xa37191e3e2fba99b|loop|17|5|pragmas.cu|of_loops|;0x0b89de4889cc7c3c|launch|18|7|pragmas.cu|of_loops|k;0xa37197e3e2fbb3cd|loop|21|5|pragmas.cu|of_loops|;0x0b89e14889cc8155|launch|22|7|pragmas.cu|of_loops|k;0xa37194e3e2fbaeb4|loop|24|3|pragmas.cu|of_loops|;0x0b89e04889cc7fa2|launch|26|7|pragmas.cu|of_loops|k;0xa3718ae3e2fb9db6|loop|27|3|pragmas.cu|of_loops|;0xa3718be3e2fb9f69|loop|29|5|pragmas.cu|of_loops|;0x0b89db4889cc7723|launch|30|7|pragmas.cu|of_loops|k;0xb1563769fc880f14|function|34|6|pragmas.cu|of_others|;0x37f775d0728fdceb|free|36|9|pragmas.cu|of_others|cudaFree;0x37f774d0728fdb38|free|39|9|pragmas.cu|of_others|cudaFree;0xae6215fb9d4f62ce|loop|40|3|pragmas.cu|of_others|;0x37f777d0728fe051|free|42|11|pragmas.cu|of_others|cudaFree;0xae6216fb9d4f6481|loop|43|3|pragmas.cu|of_others|;0x48c49a202227c06f|launch|45|5|pragmas.cu|of_others|k;")
