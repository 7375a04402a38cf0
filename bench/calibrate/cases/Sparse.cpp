// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSPARSE: products, conversions and analyses of the identity, 256 x 256.
#include "calibrate/Bench.h"
#include "calibrate/CaseFiles.h"

#if __has_include(<cusparse.h>)
// Programs still call what is deprecated.
#define DISABLE_CUSPARSE_DEPRECATED
#include <algorithm>
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <vector>

using namespace autoprof::calibrate;
using namespace autoprof::catalogue;
using namespace autoprof::catalogue::values;

namespace {

constexpr int N = 256;
constexpr char Arguments[] = "256 x 256 floats";
constexpr auto Plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr auto Index = CUSPARSE_INDEX_32I;
constexpr auto Base = CUSPARSE_INDEX_BASE_ZERO;
constexpr float One = 1, Zero = 0;
constexpr size_t WorkBytes = 16 * MiB;

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
  /// The same as a triangle, which products do not take.
  cusparseSpMatDescr_t Triangle = nullptr;
  cusparseDnVecDescr_t X = nullptr, Y = nullptr;
  cusparseDnMatDescr_t DenseX = nullptr, DenseY = nullptr;
  cusparseSpVecDescr_t SparseX = nullptr;
  cusparseMatDescr_t Plain = nullptr;
  void *Work = nullptr; ///< WorkBytes.
};

const Problem &problem(const Bench &B) {
  static Problem P;
  if (P.Handle)
    return P;
  CALL(cusparseCreate)(&P.Handle);
  CALL(cusparseSetStream)(P.Handle, B.OwnStream);
  std::vector<int> Offsets(N + 1), Columns(N);
  for (int I = 0; I < N; ++I)
    Offsets[I] = Columns[I] = I;
  Offsets[N] = N;
  P.Offsets = onDevice(Offsets);
  P.Columns = onDevice(Columns);
  P.Values = onDevice(std::vector<float>(N, 1));
  P.Dense = onDevice(std::vector<float>(size_t(N) * N, 1));
  P.Result = onDevice(std::vector<float>(size_t(N) * N, 0));
  P.Work = allocate<char>(WorkBytes);
  CALL(cusparseCreateCsr)(&P.Matrix, N, N, N, P.Offsets, P.Columns, P.Values,
                          Index, Index, Base, CUDA_R_32F);
  cusparseFillMode_t Lower = CUSPARSE_FILL_MODE_LOWER;
  CALL(cusparseCreateCsr)(&P.Triangle, N, N, N, P.Offsets, P.Columns, P.Values,
                          Index, Index, Base, CUDA_R_32F);
  CALL(cusparseSpMatSetAttribute)(P.Triangle, CUSPARSE_SPMAT_FILL_MODE, &Lower,
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

/// A product of two sparse matrices, with what its steps work in. Each step is
/// asked first, with no memory, how much it needs.
class Product {
public:
  cusparseSpMatDescr_t Matrix = nullptr;
  cusparseSpGEMMDescr_t Descriptor = nullptr;
  explicit Product(const Problem &P) : P(P) {
    CALL(cusparseCreateCsr)(&Matrix, N, N, 0, room((N + 1) * sizeof(int)),
                            nullptr, nullptr, Index, Index, Base, CUDA_R_32F);
    CALL(cusparseSpGEMM_createDescr)(&Descriptor);
  }
  ~Product() {
    CALL(cusparseSpGEMM_destroyDescr)(Descriptor);
    CALL(cusparseDestroySpMat)(Matrix);
    for (void *Each : Rooms)
      CALL(cudaFree)(Each);
  }
  Product(const Product &) = delete;
  Product &operator=(const Product &) = delete;

  /// Memory that lives as long as this.
  void *room(size_t Bytes) {
    Rooms.push_back(allocate<char>(std::max<size_t>(Bytes, 1)));
    return Rooms.back();
  }
  /// Gives the result, an identity, its columns and values.
  void complete() {
    CALL(cusparseCsrSetPointers)(Matrix, room((N + 1) * sizeof(int)),
                                 room(N * sizeof(int)),
                                 room(N * sizeof(float)));
  }

  void estimate(size_t &Bytes, void *Room, cusparseSpGEMMAlg_t Algorithm) {
    CALL(cusparseSpGEMM_workEstimation)(P.Handle, Plain, Plain, &One, P.Matrix,
                                        P.Matrix, &Zero, Matrix, CUDA_R_32F,
                                        Algorithm, Descriptor, &Bytes, Room);
  }
  void estimate(cusparseSpGEMMAlg_t Algorithm) {
    size_t Bytes = 0;
    estimate(Bytes, nullptr, Algorithm);
    estimate(Bytes, room(Bytes), Algorithm);
  }
  void compute(size_t &Bytes, void *Room) {
    CALL(cusparseSpGEMM_compute)(
        P.Handle, Plain, Plain, &One, P.Matrix, P.Matrix, &Zero, Matrix,
        CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, Descriptor, &Bytes, Room);
  }
  /// Of the algorithms that need little memory.
  void estimateMemory(size_t &Bytes, void *Room) {
    size_t ForCompute = 0;
    CALL(cusparseSpGEMM_estimateMemory)(
        P.Handle, Plain, Plain, &One, P.Matrix, P.Matrix, &Zero, Matrix,
        CUDA_R_32F, CUSPARSE_SPGEMM_ALG3, Descriptor, /*chunk_fraction=*/0.2F,
        &Bytes, Room, &ForCompute);
  }

  // The steps of a product whose pattern is used again.
  void estimateReuse(size_t &Bytes, void *Room) {
    CALL(cusparseSpGEMMreuse_workEstimation)(
        P.Handle, Plain, Plain, P.Matrix, P.Matrix, Matrix,
        CUSPARSE_SPGEMM_DEFAULT, Descriptor, &Bytes, Room);
  }
  void estimateReuse() {
    size_t Bytes = 0;
    estimateReuse(Bytes, nullptr);
    estimateReuse(Bytes, room(Bytes));
  }
  void count(size_t (&Bytes)[3], void *const (&RoomAt)[3]) {
    CALL(cusparseSpGEMMreuse_nnz)(P.Handle, Plain, Plain, P.Matrix, P.Matrix,
                                  Matrix, CUSPARSE_SPGEMM_DEFAULT, Descriptor,
                                  &Bytes[0], RoomAt[0], &Bytes[1], RoomAt[1],
                                  &Bytes[2], RoomAt[2]);
  }
  void copyReuse(size_t &Bytes, void *Room) {
    CALL(cusparseSpGEMMreuse_copy)(P.Handle, Plain, Plain, P.Matrix, P.Matrix,
                                   Matrix, CUSPARSE_SPGEMM_DEFAULT, Descriptor,
                                   &Bytes, Room);
  }

private:
  const Problem &P;
  std::vector<void *> Rooms;
};

void addSparseProducts(Cases &C) {
  C.add("cusparseSpGEMM_workEstimation", Arguments, Facts(), [](Bench &B) {
    Product R(problem(B));
    size_t Bytes = 0;
    R.estimate(Bytes, nullptr, CUSPARSE_SPGEMM_DEFAULT);
    void *Room = R.room(Bytes);
    B.time([&] { R.estimate(Bytes, Room, CUSPARSE_SPGEMM_DEFAULT); });
  });
  C.add("cusparseSpGEMM_compute", Arguments, Facts(), [](Bench &B) {
    Product R(problem(B));
    R.estimate(CUSPARSE_SPGEMM_DEFAULT);
    size_t Bytes = 0;
    R.compute(Bytes, nullptr);
    void *Room = R.room(Bytes);
    B.time([&] { R.compute(Bytes, Room); });
  });
  C.add("cusparseSpGEMM_copy", Arguments, Facts(), [](Bench &B) {
    const Problem &P = problem(B);
    Product R(P);
    R.estimate(CUSPARSE_SPGEMM_DEFAULT);
    size_t Bytes = 0;
    R.compute(Bytes, nullptr);
    R.compute(Bytes, R.room(Bytes));
    R.complete();
    B.time([&] {
      CALL(cusparseSpGEMM_copy)(P.Handle, Plain, Plain, &One, P.Matrix,
                                P.Matrix, &Zero, R.Matrix, CUDA_R_32F,
                                CUSPARSE_SPGEMM_DEFAULT, R.Descriptor);
    });
  });
  C.add("cusparseSpGEMM_estimateMemory", Arguments, Facts(), [](Bench &B) {
    Product R(problem(B));
    R.estimate(CUSPARSE_SPGEMM_ALG3);
    size_t Bytes = 0;
    R.estimateMemory(Bytes, nullptr);
    void *Room = R.room(Bytes);
    B.time([&] { R.estimateMemory(Bytes, Room); });
  });
}

void addReusedProducts(Cases &C) {
  C.add("cusparseSpGEMMreuse_workEstimation", Arguments, Facts(), [](Bench &B) {
    Product R(problem(B));
    size_t Bytes = 0;
    R.estimateReuse(Bytes, nullptr);
    void *Room = R.room(Bytes);
    B.time([&] { R.estimateReuse(Bytes, Room); });
  });
  C.add("cusparseSpGEMMreuse_nnz", Arguments, Facts(), [](Bench &B) {
    Product R(problem(B));
    R.estimateReuse();
    size_t Bytes[3] = {};
    R.count(Bytes, {nullptr, nullptr, nullptr});
    void *RoomAt[] = {R.room(Bytes[0]), R.room(Bytes[1]), R.room(Bytes[2])};
    B.time([&] { R.count(Bytes, RoomAt); });
  });
  C.add("cusparseSpGEMMreuse_compute", Arguments, Facts(), [](Bench &B) {
    const Problem &P = problem(B);
    Product R(P);
    R.estimateReuse();
    size_t Sizes[3] = {}, Bytes = 0;
    R.count(Sizes, {nullptr, nullptr, nullptr});
    R.count(Sizes, {R.room(Sizes[0]), R.room(Sizes[1]), R.room(Sizes[2])});
    R.complete();
    R.copyReuse(Bytes, nullptr);
    R.copyReuse(Bytes, R.room(Bytes));
    B.time([&] {
      CALL(cusparseSpGEMMreuse_compute)(P.Handle, Plain, Plain, &One, P.Matrix,
                                        P.Matrix, &Zero, R.Matrix, CUDA_R_32F,
                                        CUSPARSE_SPGEMM_DEFAULT, R.Descriptor);
    });
  });
}

void addConversions(Cases &C) {
  C.add("cusparseDenseToSparse_analysis", Arguments, Facts(), [](Bench &B) {
    const Problem &P = problem(B);
    Product R(P); // Of whose matrix only the form matters.
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
  C.add("cusparseSpSV_analysis", Arguments, Facts(), [](Bench &B) {
    const Problem &P = problem(B);
    cusparseSpSVDescr_t D = nullptr;
    CALL(cusparseSpSV_createDescr)(&D);
    B.time([&] {
      CALL(cusparseSpSV_analysis)(P.Handle, Plain, &One, P.Triangle, P.X, P.Y,
                                  CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT, D,
                                  P.Work);
    });
    CALL(cusparseSpSV_destroyDescr)(D);
  });
  C.add("cusparseSpSM_analysis", Arguments, Facts(), [](Bench &B) {
    const Problem &P = problem(B);
    cusparseSpSMDescr_t D = nullptr;
    CALL(cusparseSpSM_createDescr)(&D);
    B.time([&] {
      CALL(cusparseSpSM_analysis)(P.Handle, Plain, Plain, &One, P.Triangle,
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
  C.add("cusparseScsrilu02_analysis", Arguments, Facts(), [Analyse](Bench &B) {
    const Problem &P = problem(B);
    csrilu02Info_t Info = nullptr;
    CALL(cusparseCreateCsrilu02Info)(&Info);
    B.time([&] { Analyse(P, Info); });
    CALL(cusparseDestroyCsrilu02Info)(Info);
  });
  C.add("cusparseXcsrilu02_zeroPivot", Arguments, Facts(), [Analyse](Bench &B) {
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
            void *Result = OnHost ? &Host : P.Result;
            CALL(cusparseSetPointerMode)(P.Handle,
                                         OnHost ? CUSPARSE_POINTER_MODE_HOST
                                                : CUSPARSE_POINTER_MODE_DEVICE);
            B.time([&] {
              CALL(cusparseSpVV)(P.Handle, Plain, P.SparseX, P.X, Result,
                                 CUDA_R_32F, P.Work);
            });
            CALL(cusparseSetPointerMode)(P.Handle, CUSPARSE_POINTER_MODE_HOST);
          });
  C.add("cusparseSpMV", Arguments, Facts(), [](Bench &B) {
    const Problem &P = problem(B);
    size_t Bytes = 0;
    CALL(cusparseSpMV_bufferSize)(P.Handle, Plain, &One, P.Matrix, P.X, &Zero,
                                  P.Y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT,
                                  &Bytes);
    if (Bytes > WorkBytes)
      fail("cusparseSpMV needs more memory than is available");
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
  C.add("cusparseDestroy", "after work", Facts(), [](Bench &B) {
    const Problem &P = problem(B);
    cusparseHandle_t H = nullptr;
    float Result = 0;
    CALL(cusparseCreate)(&H);
    CALL(cusparseSetStream)(H, B.OwnStream);
    CALL(cusparseSpVV)(H, Plain, P.SparseX, P.X, &Result, CUDA_R_32F, P.Work);
    B.time([&] { CALL(cusparseDestroy)(H); });
  });
}

} // namespace

void autoprof::calibrate::addSparse(Cases &C) {
  addSparseProducts(C);
  addReusedProducts(C);
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
