// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSPARSE: products, conversions and analyses of the identity, 256 x 256.
#include "calibrate/Bench.h"
#include "calibrate/cases/Files.h"

#if __has_include(<cusparse.h>)
// Programs still call what is deprecated.
#define DISABLE_CUSPARSE_DEPRECATED
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <vector>

using namespace autoprof::calibrate;
using namespace autoprof::catalogue;
using namespace autoprof::catalogue::values;

namespace {

constexpr int N = 256;
constexpr char What[] = "256 x 256 floats";
constexpr auto Plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr auto Index = CUSPARSE_INDEX_32I;
constexpr auto Base = CUSPARSE_INDEX_BASE_ZERO;
constexpr float One = 1, Zero = 0;

template <typename T> T *allocate(size_t Bytes) {
  void *P = nullptr;
  CALL(cudaMalloc)(&P, Bytes);
  return static_cast<T *>(P);
}

template <typename T> T *onDevice(const std::vector<T> &Values) {
  T *P = allocate<T>(Values.size() * sizeof(T));
  CALL(cudaMemcpy)(P, Values.data(), Values.size() * sizeof(T),
                   cudaMemcpyHostToDevice);
  return P;
}

/// Everything that the calls need; kept.
struct Problem {
  cusparseHandle_t Handle = nullptr;
  int *Offsets, *Columns;
  float *Values, *Dense, *Result;
  cusparseSpMatDescr_t Matrix = nullptr;
  cusparseDnVecDescr_t X = nullptr, Y = nullptr;
  cusparseDnMatDescr_t DenseX = nullptr, DenseY = nullptr;
  cusparseSpVecDescr_t SparseX = nullptr;
  cusparseMatDescr_t Plain = nullptr;
  void *Work = nullptr; ///< 16 MiB; more than any of these calls asks for.
};

const Problem &problem(const Bench &B) {
  static Problem P;
  if (P.Handle)
    return P;
  CALL(cusparseCreate)(&P.Handle);
  CALL(cusparseSetStream)(P.Handle, B.Own);
  std::vector<int> Offsets(N + 1), Columns(N);
  for (int I = 0; I < N; ++I)
    Offsets[I] = Columns[I] = I;
  Offsets[N] = N;
  P.Offsets = onDevice(Offsets);
  P.Columns = onDevice(Columns);
  P.Values = onDevice(std::vector<float>(N, 1));
  P.Dense = onDevice(std::vector<float>(size_t(N) * N, 1));
  P.Result = onDevice(std::vector<float>(size_t(N) * N, 0));
  P.Work = allocate<char>(16 * MiB);
  CALL(cusparseCreateCsr)(&P.Matrix, N, N, N, P.Offsets, P.Columns, P.Values,
                          Index, Index, Base, CUDA_R_32F);
  cusparseFillMode_t Lower = CUSPARSE_FILL_MODE_LOWER;
  CALL(cusparseSpMatSetAttribute)(P.Matrix, CUSPARSE_SPMAT_FILL_MODE, &Lower,
                                  sizeof(Lower));
  CALL(cusparseCreateDnVec)(&P.X, N, P.Dense, CUDA_R_32F);
  CALL(cusparseCreateDnVec)(&P.Y, N, P.Result, CUDA_R_32F);
  CALL(cusparseCreateDnMat)(&P.DenseX, N, N, N, P.Dense, CUDA_R_32F,
                            CUSPARSE_ORDER_COL);
  CALL(cusparseCreateDnMat)(&P.DenseY, N, N, N, P.Result, CUDA_R_32F,
                            CUSPARSE_ORDER_COL);
  CALL(cusparseCreateSpVec)(&P.SparseX, N, N, P.Columns, P.Values, Index, Base,
                            CUDA_R_32F);
  CALL(cusparseCreateMatDescr)(&P.Plain);
  return P;
}

/// A result of the product of two sparse matrices.
struct Product {
  cusparseSpMatDescr_t Matrix = nullptr;
  cusparseSpGEMMDescr_t Descriptor = nullptr;
  Product() {
    auto *Offsets = allocate<int>((N + 1) * sizeof(int));
    CALL(cusparseCreateCsr)(&Matrix, N, N, 0, Offsets, nullptr, nullptr, Index,
                            Index, Base, CUDA_R_32F);
    CALL(cusparseSpGEMM_createDescr)(&Descriptor);
    Memory = Offsets;
  }
  ~Product() {
    CALL(cusparseSpGEMM_destroyDescr)(Descriptor);
    CALL(cusparseDestroySpMat)(Matrix);
    CALL(cudaFree)(Memory);
  }
  Product(const Product &) = delete;
  Product &operator=(const Product &) = delete;

private:
  void *Memory;
};

/// The halves of Problem::Work: what the first step leaves there, the second
/// one reads.
constexpr size_t Half = 8 * MiB;
void *second(const Problem &P) { return static_cast<char *>(P.Work) + Half; }

void estimate(const Problem &P, const Product &R, cusparseSpGEMMAlg_t How) {
  size_t Size = Half;
  CALL(cusparseSpGEMM_workEstimation)(P.Handle, Plain, Plain, &One, P.Matrix,
                                      P.Matrix, &Zero, R.Matrix, CUDA_R_32F,
                                      How, R.Descriptor, &Size, P.Work);
}

void compute(const Problem &P, const Product &R) {
  size_t Size = Half;
  CALL(cusparseSpGEMM_compute)(
      P.Handle, Plain, Plain, &One, P.Matrix, P.Matrix, &Zero, R.Matrix,
      CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, R.Descriptor, &Size, second(P));
}

void addSparseProducts(Cases &C) {
  C.add("cusparseSpGEMM_workEstimation", What, Facts(), [](Bench &B) {
    const Problem &P = problem(B);
    Product R;
    B.time([&] { estimate(P, R, CUSPARSE_SPGEMM_DEFAULT); });
  });
  C.add("cusparseSpGEMM_compute", What, Facts(), [](Bench &B) {
    const Problem &P = problem(B);
    Product R;
    estimate(P, R, CUSPARSE_SPGEMM_DEFAULT);
    B.time([&] { compute(P, R); });
  });
  C.add("cusparseSpGEMM_copy", What, Facts(), [](Bench &B) {
    const Problem &P = problem(B);
    Product R;
    estimate(P, R, CUSPARSE_SPGEMM_DEFAULT);
    compute(P, R);
    auto *Columns = allocate<int>(N * sizeof(int));
    auto *Values = allocate<float>(N * sizeof(float));
    auto *Offsets = allocate<int>((N + 1) * sizeof(int));
    CALL(cusparseCsrSetPointers)(R.Matrix, Offsets, Columns, Values);
    B.time([&] {
      CALL(cusparseSpGEMM_copy)(P.Handle, Plain, Plain, &One, P.Matrix,
                                P.Matrix, &Zero, R.Matrix, CUDA_R_32F,
                                CUSPARSE_SPGEMM_DEFAULT, R.Descriptor);
    });
    for (void *Memory : {(void *)Columns, (void *)Values, (void *)Offsets})
      CALL(cudaFree)(Memory);
  });
  C.add("cusparseSpGEMM_estimateMemory", What, Facts(), [](Bench &B) {
    const Problem &P = problem(B);
    Product R;
    estimate(P, R, CUSPARSE_SPGEMM_ALG2);
    size_t Size = Half, Needed = 0;
    B.time([&] {
      CALL(cusparseSpGEMM_estimateMemory)(
          P.Handle, Plain, Plain, &One, P.Matrix, P.Matrix, &Zero, R.Matrix,
          CUDA_R_32F, CUSPARSE_SPGEMM_ALG2, R.Descriptor, 1.0F, &Size,
          second(P), &Needed);
    });
  });
  auto Reuse = [](const Problem &P, const Product &R) {
    size_t Size = Half;
    CALL(cusparseSpGEMMreuse_workEstimation)(
        P.Handle, Plain, Plain, P.Matrix, P.Matrix, R.Matrix,
        CUSPARSE_SPGEMM_DEFAULT, R.Descriptor, &Size, P.Work);
  };
  C.add("cusparseSpGEMMreuse_workEstimation", What, Facts(), [Reuse](Bench &B) {
    const Problem &P = problem(B);
    Product R;
    B.time([&] { Reuse(P, R); });
  });
  C.add("cusparseSpGEMMreuse_nnz", What, Facts(), [Reuse](Bench &B) {
    const Problem &P = problem(B);
    Product R;
    Reuse(P, R);
    constexpr size_t Each = 2 * MiB;
    size_t Size2 = Each, Size3 = Each, Size4 = Each;
    auto *At = static_cast<char *>(second(P));
    B.time([&] {
      CALL(cusparseSpGEMMreuse_nnz)(P.Handle, Plain, Plain, P.Matrix, P.Matrix,
                                    R.Matrix, CUSPARSE_SPGEMM_DEFAULT,
                                    R.Descriptor, &Size2, At, &Size3, At + Each,
                                    &Size4, At + 2 * Each);
    });
  });
}

void addConversions(Cases &C) {
  C.add("cusparseDenseToSparse_analysis", What, Facts(), [](Bench &B) {
    const Problem &P = problem(B);
    Product R; // Of whose matrix only the form matters.
    B.time([&] {
      CALL(cusparseDenseToSparse_analysis)(P.Handle, P.DenseX, R.Matrix,
                                           CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                           P.Work);
    });
  });
  for (bool OnHost : {true, false})
    C.add("cusparseSnnz", OnHost ? "count to the host" : "count to the device",
          pointerMode(OnHost ? HostMode : DeviceMode), [OnHost](Bench &B) {
            const Problem &P = problem(B);
            auto *Rows = static_cast<int *>(P.Work);
            int Host = 0, *Total = OnHost ? &Host : Rows + N;
            CALL(cusparseSetPointerMode)(P.Handle,
                                         OnHost ? CUSPARSE_POINTER_MODE_HOST
                                                : CUSPARSE_POINTER_MODE_DEVICE);
            B.time([&] {
              CALL(cusparseSnnz)(P.Handle, CUSPARSE_DIRECTION_ROW, N, N,
                                 P.Plain, P.Dense, N, Rows, Total);
            });
            CALL(cusparseSetPointerMode)(P.Handle, CUSPARSE_POINTER_MODE_HOST);
          });
}

void addAnalyses(Cases &C) {
  C.add("cusparseSpSV_analysis", What, Facts(), [](Bench &B) {
    const Problem &P = problem(B);
    cusparseSpSVDescr_t D = nullptr;
    CALL(cusparseSpSV_createDescr)(&D);
    B.time([&] {
      CALL(cusparseSpSV_analysis)(P.Handle, Plain, &One, P.Matrix, P.X, P.Y,
                                  CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT, D,
                                  P.Work);
    });
    CALL(cusparseSpSV_destroyDescr)(D);
  });
  C.add("cusparseSpSM_analysis", What, Facts(), [](Bench &B) {
    const Problem &P = problem(B);
    cusparseSpSMDescr_t D = nullptr;
    CALL(cusparseSpSM_createDescr)(&D);
    B.time([&] {
      CALL(cusparseSpSM_analysis)(P.Handle, Plain, Plain, &One, P.Matrix,
                                  P.DenseX, P.DenseY, CUDA_R_32F,
                                  CUSPARSE_SPSM_ALG_DEFAULT, D, P.Work);
    });
    CALL(cusparseSpSM_destroyDescr)(D);
  });
  auto Analyse = [](const Problem &P, csrilu02Info_t Info) {
    CALL(cusparseScsrilu02_analysis)(P.Handle, N, N, P.Plain, P.Values,
                                     P.Offsets, P.Columns, Info,
                                     CUSPARSE_SOLVE_POLICY_NO_LEVEL, P.Work);
  };
  C.add("cusparseScsrilu02_analysis", What, Facts(), [Analyse](Bench &B) {
    const Problem &P = problem(B);
    csrilu02Info_t Info = nullptr;
    CALL(cusparseCreateCsrilu02Info)(&Info);
    B.time([&] { Analyse(P, Info); });
    CALL(cusparseDestroyCsrilu02Info)(Info);
  });
  C.add("cusparseXcsrilu02_zeroPivot", What, Facts(), [Analyse](Bench &B) {
    const Problem &P = problem(B);
    csrilu02Info_t Info = nullptr;
    int Position = 0;
    CALL(cusparseCreateCsrilu02Info)(&Info);
    Analyse(P, Info);
    B.time(
        [&] { CALL(cusparseXcsrilu02_zeroPivot)(P.Handle, Info, &Position); });
    CALL(cusparseDestroyCsrilu02Info)(Info);
  });
}

void addVectors(Cases &C) {
  for (bool OnHost : {true, false})
    C.add("cusparseSpVV",
          OnHost ? "result to the host" : "result to the device",
          pointerMode(OnHost ? HostMode : DeviceMode), [OnHost](Bench &B) {
            const Problem &P = problem(B);
            float Host = 0;
            void *Result = OnHost ? &Host : second(P);
            CALL(cusparseSetPointerMode)(P.Handle,
                                         OnHost ? CUSPARSE_POINTER_MODE_HOST
                                                : CUSPARSE_POINTER_MODE_DEVICE);
            B.time([&] {
              CALL(cusparseSpVV)(P.Handle, Plain, P.SparseX, P.X, Result,
                                 CUDA_R_32F, P.Work);
            });
            CALL(cusparseSetPointerMode)(P.Handle, CUSPARSE_POINTER_MODE_HOST);
          });
  C.add("cusparseSpMV", What, Facts(), [](Bench &B) {
    const Problem &P = problem(B);
    B.time([&] {
      CALL(cusparseSpMV)(P.Handle, Plain, &One, P.Matrix, P.X, &Zero, P.Y,
                         CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, P.Work);
    });
  });
}

void addHandles(Cases &C) {
  C.add("cusparseCreate", "", Facts(), [](Bench &B) {
    cusparseHandle_t H = nullptr;
    B.time([&] { CALL(cusparseCreate)(&H); });
    CALL(cusparseDestroy)(H);
  });
  C.add("cusparseDestroy", "", Facts(), [](Bench &B) {
    cusparseHandle_t H = nullptr;
    CALL(cusparseCreate)(&H);
    B.time([&] { CALL(cusparseDestroy)(H); });
  });
}

} // namespace

void autoprof::calibrate::addSparse(Cases &C) {
  addSparseProducts(C);
  addConversions(C);
  addAnalyses(C);
  addVectors(C);
  addHandles(C);
}
#else
void autoprof::calibrate::addSparse(Cases &C) {
  C.NotBuilt.push_back("cusparse");
}
#endif
