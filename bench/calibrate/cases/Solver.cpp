// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSOLVER, dense: factorizations, eigenvalues and singular values of a 64 x 64
// matrix, the identity.
#include "calibrate/Bench.h"
#include "calibrate/CaseFiles.h"

#if __has_include(<cusolverDn.h>)
#include <cuda_runtime_api.h>
#include <cusolverDn.h>
#include <vector>

using namespace autoprof::calibrate;
using namespace autoprof::catalogue;
using namespace autoprof::catalogue::values;

namespace {

constexpr int N = 64;
constexpr char Arguments[] = "64 x 64 floats";

/// What every solver needs; kept. The matrix is the identity before each call.
struct Problem {
  cusolverDnHandle_t Handle = nullptr;
  cusolverDnParams_t Params = nullptr;
  float *Matrix = nullptr, *Values = nullptr, *Left = nullptr, *Right = nullptr;
  int *Info = nullptr;
  void *Work = nullptr;
  size_t WorkBytes = 0;
  std::vector<char> HostWork;
};

template <typename T> void allocate(T *&P, size_t Bytes) {
  void *Memory = nullptr;
  CALL(cudaMalloc)(&Memory, Bytes);
  P = static_cast<T *>(Memory);
}

Problem &problem(const Bench &B) {
  static Problem P;
  if (!P.Handle) {
    CALL(cusolverDnCreate)(&P.Handle);
    CALL(cusolverDnSetStream)(P.Handle, B.OwnStream);
    CALL(cusolverDnCreateParams)(&P.Params);
    for (float **M : {&P.Matrix, &P.Values, &P.Left, &P.Right})
      allocate(*M, sizeof(cuComplex) * N * N);
    allocate(P.Info, sizeof(int));
    allocate(P.Work, P.WorkBytes = 16 * MiB);
    P.HostWork.resize(16 * MiB);
  }
  std::vector<float> Identity(N * N);
  for (int I = 0; I < N; ++I)
    Identity[I * N + I] = 1;
  CALL(cudaMemcpy)(P.Matrix, Identity.data(), sizeof(float) * N * N,
                   cudaMemcpyHostToDevice);
  return P;
}

float *floats(Problem &P) { return static_cast<float *>(P.Work); }
/// Of the work space, in floats.
int count(const Problem &P) { return int(P.WorkBytes / sizeof(float)); }

/// `Call` solves the problem on the own stream.
void addSolution(Cases &C, const char *Name, void (*Call)(Problem &)) {
  C.add(Name, Arguments, Facts(), [Call](Bench &B) {
    Problem &P = problem(B);
    B.time([&] { Call(P); });
  });
}

void addFactorizations(Cases &C) {
  addSolution(C, "cusolverDnSpotrf", [](Problem &P) {
    CALL(cusolverDnSpotrf)(P.Handle, CUBLAS_FILL_MODE_LOWER, N, P.Matrix, N,
                           floats(P), count(P), P.Info);
  });
  addSolution(C, "cusolverDnSgetrf", [](Problem &P) {
    auto *Pivots = reinterpret_cast<int *>(P.Left);
    CALL(cusolverDnSgetrf)(P.Handle, N, N, P.Matrix, N, floats(P), Pivots,
                           P.Info);
  });
  addSolution(C, "cusolverDnSgeqrf", [](Problem &P) {
    CALL(cusolverDnSgeqrf)(P.Handle, N, N, P.Matrix, N, P.Values, floats(P),
                           count(P), P.Info);
  });
  C.add("cudaMemcpyAsync", "devInfo of cusolverDnSpotrf, into pageable memory",
        direction(DtoH) & source(values::Device) & destination(Pageable) &
            size(UpTo1MiB),
        [](Bench &B) {
          Problem &P = problem(B);
          int Info = 0;
          B.time(
              [&] {
                CALL(cudaMemcpyAsync)(&Info, P.Info, sizeof(Info),
                                      cudaMemcpyDeviceToHost, B.OwnStream);
              },
              [&] {
                CALL(cusolverDnSpotrf)(P.Handle, CUBLAS_FILL_MODE_LOWER, N,
                                       P.Matrix, N, floats(P), count(P),
                                       P.Info);
              });
        });
}

void addEigenvalues(Cases &C) {
  addSolution(C, "cusolverDnSsyevd", [](Problem &P) {
    CALL(cusolverDnSsyevd)(P.Handle, CUSOLVER_EIG_MODE_VECTOR,
                           CUBLAS_FILL_MODE_LOWER, N, P.Matrix, N, P.Values,
                           floats(P), count(P), P.Info);
  });
  addSolution(C, "cusolverDnSsyevdx", [](Problem &P) {
    int Found = 0;
    CALL(cusolverDnSsyevdx)(P.Handle, CUSOLVER_EIG_MODE_VECTOR,
                            CUSOLVER_EIG_RANGE_I, CUBLAS_FILL_MODE_LOWER, N,
                            P.Matrix, N, 0, 0, 1, N / 2, &Found, P.Values,
                            floats(P), count(P), P.Info);
  });
  C.add("cusolverDnSsyevj", Arguments, Facts(), [](Bench &B) {
    Problem &P = problem(B);
    syevjInfo_t Jacobi = nullptr;
    CALL(cusolverDnCreateSyevjInfo)(&Jacobi);
    B.time([&] {
      CALL(cusolverDnSsyevj)(P.Handle, CUSOLVER_EIG_MODE_VECTOR,
                             CUBLAS_FILL_MODE_LOWER, N, P.Matrix, N, P.Values,
                             floats(P), count(P), P.Info, Jacobi);
    });
    CALL(cusolverDnDestroySyevjInfo)(Jacobi);
  });
  addSolution(C, "cusolverDnXsyevd", [](Problem &P) {
    CALL(cusolverDnXsyevd)(
        P.Handle, P.Params, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, N,
        CUDA_R_32F, P.Matrix, N, CUDA_R_32F, P.Values, CUDA_R_32F, P.Work,
        P.WorkBytes, P.HostWork.data(), P.HostWork.size(), P.Info);
  });
#if CUSOLVER_VERSION >= 11702
  addSolution(C, "cusolverDnXgeev", [](Problem &P) {
    CALL(cusolverDnXgeev)(
        P.Handle, P.Params, CUSOLVER_EIG_MODE_NOVECTOR,
        CUSOLVER_EIG_MODE_VECTOR, N, CUDA_R_32F, P.Matrix, N, CUDA_C_32F,
        P.Values, CUDA_R_32F, P.Left, N, CUDA_R_32F, P.Right, N, CUDA_R_32F,
        P.Work, P.WorkBytes, P.HostWork.data(), P.HostWork.size(), P.Info);
  });
#endif
}

void addSingularValues(Cases &C) {
  addSolution(C, "cusolverDnSgesvd", [](Problem &P) {
    CALL(cusolverDnSgesvd)(P.Handle, 'A', 'A', N, N, P.Matrix, N, P.Values,
                           P.Left, N, P.Right, N, floats(P), count(P), nullptr,
                           P.Info);
  });
  C.add("cusolverDnSgesvdj", Arguments, Facts(), [](Bench &B) {
    Problem &P = problem(B);
    gesvdjInfo_t Jacobi = nullptr;
    CALL(cusolverDnCreateGesvdjInfo)(&Jacobi);
    B.time([&] {
      CALL(cusolverDnSgesvdj)(P.Handle, CUSOLVER_EIG_MODE_VECTOR, 0, N, N,
                              P.Matrix, N, P.Values, P.Left, N, P.Right, N,
                              floats(P), count(P), P.Info, Jacobi);
    });
    CALL(cusolverDnDestroyGesvdjInfo)(Jacobi);
  });
  addSolution(C, "cusolverDnXgesvd", [](Problem &P) {
    CALL(cusolverDnXgesvd)(
        P.Handle, P.Params, 'A', 'A', N, N, CUDA_R_32F, P.Matrix, N, CUDA_R_32F,
        P.Values, CUDA_R_32F, P.Left, N, CUDA_R_32F, P.Right, N, CUDA_R_32F,
        P.Work, P.WorkBytes, P.HostWork.data(), P.HostWork.size(), P.Info);
  });
  addSolution(C, "cusolverDnXgesvdp", [](Problem &P) {
    double Perturbation = 0;
    CALL(cusolverDnXgesvdp)(P.Handle, P.Params, CUSOLVER_EIG_MODE_VECTOR, 0, N,
                            N, CUDA_R_32F, P.Matrix, N, CUDA_R_32F, P.Values,
                            CUDA_R_32F, P.Left, N, CUDA_R_32F, P.Right, N,
                            CUDA_R_32F, P.Work, P.WorkBytes, P.HostWork.data(),
                            P.HostWork.size(), P.Info, &Perturbation);
  });
}

void addHandles(Cases &C) {
  C.add("cusolverDnCreate", "", Facts(), [](Bench &B) {
    cusolverDnHandle_t H = nullptr;
    B.time([&] { CALL(cusolverDnCreate)(&H); });
    CALL(cusolverDnDestroy)(H);
  });
  C.add("cusolverDnDestroy", "", Facts(), [](Bench &B) {
    cusolverDnHandle_t H = nullptr;
    CALL(cusolverDnCreate)(&H);
    B.time([&] { CALL(cusolverDnDestroy)(H); });
  });
}

} // namespace

void autoprof::calibrate::addSolver(Cases &C) {
  addFactorizations(C);
  addEigenvalues(C);
  addSingularValues(C);
  addHandles(C);
}
#else
void autoprof::calibrate::addSolver(Cases &C) {
  C.NotBuilt.push_back("cusolver");
}
#endif
