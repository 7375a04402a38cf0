// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSOLVER, sparse: direct solvers with the identity, 64 x 64.
#include "calibrate/Bench.h"
#include "calibrate/CaseFiles.h"

#if __has_include(<cusolverSp.h>)
// Programs still call what is deprecated.
#define DISABLE_CUSOLVER_DEPRECATED
#include <cuda_runtime_api.h>
#include <cusolverSp.h>
#include <numeric>
#include <vector>

using namespace autoprof::calibrate;
using namespace autoprof::catalogue;

namespace {

constexpr int N = 64;
constexpr float Tolerance = 1e-6F;

template <typename T> T *onDevice(const std::vector<T> &Values) {
  void *P = nullptr;
  CALL(cudaMalloc)(&P, Values.size() * sizeof(T));
  CALL(cudaMemcpy)(P, Values.data(), Values.size() * sizeof(T),
                   cudaMemcpyHostToDevice);
  return static_cast<T *>(P);
}

/// Kept.
struct Problem {
  cusolverSpHandle_t Handle = nullptr;
  cusparseMatDescr_t Descriptor = nullptr;
  float *Values, *Right, *Solution;
  int *Offsets, *Columns;
};

const Problem &problem(const Bench &B) {
  static Problem P;
  if (P.Handle)
    return P;
  CALL(cusolverSpCreate)(&P.Handle);
  CALL(cusolverSpSetStream)(P.Handle, B.OwnStream);
  CALL(cusparseCreateMatDescr)(&P.Descriptor);
  std::vector<int> Numbers(N + 1);
  std::iota(Numbers.begin(), Numbers.end(), 0);
  P.Offsets = onDevice(Numbers);
  P.Columns = onDevice(Numbers);
  for (float **Each : {&P.Values, &P.Right, &P.Solution})
    *Each = onDevice(std::vector<float>(N, 1));
  return P;
}

void addSolvers(Cases &C) {
  C.add("cusolverSpScsrlsvqr", "64 x 64 floats", Facts(), [](Bench &B) {
    const Problem &P = problem(B);
    int Singular = 0;
    B.time([&] {
      CALL(cusolverSpScsrlsvqr)(P.Handle, N, N, P.Descriptor, P.Values,
                                P.Offsets, P.Columns, P.Right, Tolerance,
                                /*reorder=*/0, P.Solution, &Singular);
    });
  });
  C.add("cusolverSpScsrlsvchol", "64 x 64 floats", Facts(), [](Bench &B) {
    const Problem &P = problem(B);
    int Singular = 0;
    B.time([&] {
      CALL(cusolverSpScsrlsvchol)(P.Handle, N, N, P.Descriptor, P.Values,
                                  P.Offsets, P.Columns, P.Right, Tolerance,
                                  /*reorder=*/0, P.Solution, &Singular);
    });
  });
}

void addHandles(Cases &C) {
  C.add("cusolverSpCreate", "", Facts(), [](Bench &B) {
    cusolverSpHandle_t H = nullptr;
    B.time([&] { CALL(cusolverSpCreate)(&H); });
    CALL(cusolverSpDestroy)(H);
  });
  C.add("cusolverSpDestroy", "never used", Facts(), [](Bench &B) {
    cusolverSpHandle_t H = nullptr;
    CALL(cusolverSpCreate)(&H);
    B.time([&] { CALL(cusolverSpDestroy)(H); });
  });
}

} // namespace

void autoprof::calibrate::addSolverSparse(Cases &C) {
  addSolvers(C);
  addHandles(C);
}
#else
// Solver.cpp says so.
void autoprof::calibrate::addSolverSparse(Cases &) {}
#endif
