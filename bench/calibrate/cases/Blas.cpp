// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS: results by pointer mode, host scalars, copies, handles.
#include "calibrate/Bench.h"
#include "calibrate/CaseFiles.h"

#if __has_include(<cublas_v2.h>)
#include <cublasLt.h>
#include <cublas_v2.h>

using namespace autoprof::calibrate;
using namespace autoprof::catalogue;
using namespace autoprof::catalogue::values;
using M = Bench::Memory;

namespace {

constexpr int N = 4096;

/// Kept, on the own stream.
cublasHandle_t handle(const Bench &B) {
  static cublasHandle_t H = nullptr;
  if (!H) {
    CALL(cublasCreate)(&H);
    CALL(cublasSetStream)(H, B.OwnStream);
  }
  return H;
}

/// Adds a call with its result on the host and one with it on the device.
/// `Call` is given the handle, a vector on the device and the place of the
/// result, which has room for 64 bytes.
void addBothModes(Cases &C, const char *Name,
                  void (*Call)(cublasHandle_t, float *, void *)) {
  for (bool OnHost : {true, false})
    C.add(Name,
          OnHost ? "result to the host, 4,096 floats"
                 : "result to the device, 4,096 floats",
          pointerMode(OnHost ? HostMode : DeviceMode), [=](Bench &B) {
            cublasHandle_t H = handle(B);
            auto *Vector = static_cast<float *>(B.buffer(M::Device, 0));
            void *Result = B.buffer(OnHost ? M::Pageable : M::Device, 1);
            CALL(cublasSetPointerMode)(H, OnHost ? CUBLAS_POINTER_MODE_HOST
                                                 : CUBLAS_POINTER_MODE_DEVICE);
            B.time([&] { Call(H, Vector, Result); });
            CALL(cublasSetPointerMode)(H, CUBLAS_POINTER_MODE_HOST);
          });
}

void addResults(Cases &C) {
  addBothModes(C, "cublasSdot", [](cublasHandle_t H, float *X, void *R) {
    CALL(cublasSdot)(H, N, X, 1, X, 1, static_cast<float *>(R));
  });
  addBothModes(C, "cublasDdot", [](cublasHandle_t H, float *X, void *R) {
    auto *D = reinterpret_cast<double *>(X);
    CALL(cublasDdot)(H, N, D, 1, D, 1, static_cast<double *>(R));
  });
  addBothModes(C, "cublasSnrm2", [](cublasHandle_t H, float *X, void *R) {
    CALL(cublasSnrm2)(H, N, X, 1, static_cast<float *>(R));
  });
  addBothModes(C, "cublasSasum", [](cublasHandle_t H, float *X, void *R) {
    CALL(cublasSasum)(H, N, X, 1, static_cast<float *>(R));
  });
  addBothModes(C, "cublasIsamax", [](cublasHandle_t H, float *X, void *R) {
    CALL(cublasIsamax)(H, N, X, 1, static_cast<int *>(R));
  });
  addBothModes(C, "cublasIsamin", [](cublasHandle_t H, float *X, void *R) {
    CALL(cublasIsamin)(H, N, X, 1, static_cast<int *>(R));
  });
  addBothModes(C, "cublasSrotg", [](cublasHandle_t H, float *, void *R) {
    auto *F = static_cast<float *>(R);
    CALL(cublasSrotg)(H, F, F + 1, F + 2, F + 3);
  });
  addBothModes(C, "cublasSrotmg", [](cublasHandle_t H, float *, void *R) {
    auto *F = static_cast<float *>(R);
    CALL(cublasSrotmg)(H, F, F + 1, F + 2, F + 3, F + 4);
  });
}

void addScalars(Cases &C) {
  C.add("cublasSaxpy", "alpha on the host", pointerMode(HostMode),
        [](Bench &B) {
          cublasHandle_t H = handle(B);
          auto *X = static_cast<float *>(B.buffer(M::Device));
          float Alpha = 2;
          B.time([&] { CALL(cublasSaxpy)(H, N, &Alpha, X, 1, X + N, 1); });
        });
  C.add("cublasSgemm", "alpha and beta on the host, 512 x 512",
        pointerMode(HostMode), [](Bench &B) {
          cublasHandle_t H = handle(B);
          auto *X = static_cast<float *>(B.buffer(M::Device, 0));
          auto *Y = static_cast<float *>(B.buffer(M::Device, 1));
          float Alpha = 1, Beta = 0;
          B.time([&] {
            CALL(cublasSgemm)(H, CUBLAS_OP_N, CUBLAS_OP_N, 512, 512, 512,
                              &Alpha, X, 512, X, 512, &Beta, Y, 512);
          });
        });
}

void addCopies(Cases &C) {
  C.add("cublasSetVector", "4,096 floats, pageable", source(Pageable),
        [](Bench &B) {
          void *From = B.buffer(M::Pageable), *To = B.buffer(M::Device);
          B.time([&] { CALL(cublasSetVector)(N, 4, From, 1, To, 1); });
        });
  C.add("cublasGetVector", "4,096 floats, pageable", destination(Pageable),
        [](Bench &B) {
          void *From = B.buffer(M::Device), *To = B.buffer(M::Pageable);
          B.time([&] { CALL(cublasGetVector)(N, 4, From, 1, To, 1); });
        });
  C.add("cublasSetMatrix", "64 x 64 floats, pageable", source(Pageable),
        [](Bench &B) {
          void *From = B.buffer(M::Pageable), *To = B.buffer(M::Device);
          B.time([&] { CALL(cublasSetMatrix)(64, 64, 4, From, 64, To, 64); });
        });
  C.add("cublasGetMatrix", "64 x 64 floats, pageable", destination(Pageable),
        [](Bench &B) {
          void *From = B.buffer(M::Device), *To = B.buffer(M::Pageable);
          B.time([&] { CALL(cublasGetMatrix)(64, 64, 4, From, 64, To, 64); });
        });
  for (M Host : {M::Pageable, M::Pinned}) {
    bool IsPinned = Host == M::Pinned;
    const char *Text =
        IsPinned ? "4,096 floats, pinned" : "4,096 floats, pageable";
    C.add("cublasSetVectorAsync", Text,
          source(IsPinned ? Pinned : Pageable) & size(UpTo1MiB),
          [Host](Bench &B) {
            void *From = B.buffer(Host), *To = B.buffer(M::Device);
            B.time([&] {
              CALL(cublasSetVectorAsync)(N, 4, From, 1, To, 1, B.OwnStream);
            });
          });
    C.add("cublasGetVectorAsync", Text,
          destination(IsPinned ? Pinned : Pageable), [Host](Bench &B) {
            void *From = B.buffer(M::Device), *To = B.buffer(Host);
            B.time([&] {
              CALL(cublasGetVectorAsync)(N, 4, From, 1, To, 1, B.OwnStream);
            });
          });
  }
}

void addHandles(Cases &C) {
  C.add("cublasCreate", "", Facts(), [](Bench &B) {
    cublasHandle_t H = nullptr;
    B.time([&] { CALL(cublasCreate)(&H); });
    CALL(cublasDestroy)(H);
  });
  C.add("cublasDestroy", "never used", Facts(), [](Bench &B) {
    cublasHandle_t H = nullptr;
    CALL(cublasCreate)(&H);
    B.time([&] { CALL(cublasDestroy)(H); });
  });
  C.add("cublasDestroy", "after work", Facts(), [](Bench &B) {
    cublasHandle_t H = nullptr;
    auto *X = static_cast<float *>(B.buffer(M::Device));
    float Result = 0;
    CALL(cublasCreate)(&H);
    CALL(cublasSdot)(H, N, X, 1, X, 1, &Result);
    B.time([&] { CALL(cublasDestroy)(H); });
  });
  C.add("cublasSetStream", "", Facts(), [](Bench &B) {
    cublasHandle_t H = handle(B);
    B.time([&] { CALL(cublasSetStream)(H, B.OwnStream); });
  });
}

/// A product with its descriptors.
void addLt(Cases &C) {
  C.add("cublasLtMatmul", "alpha and beta on the host, 64 x 64",
        pointerMode(HostMode), [](Bench &B) {
          constexpr int Side = 64;
          cublasLtHandle_t H = nullptr;
          cublasLtMatmulDesc_t Product = nullptr;
          cublasLtMatrixLayout_t Layout = nullptr;
          CALL(cublasLtCreate)(&H);
          CALL(cublasLtMatmulDescCreate)(&Product, CUBLAS_COMPUTE_32F,
                                         CUDA_R_32F);
          CALL(cublasLtMatrixLayoutCreate)(&Layout, CUDA_R_32F, Side, Side,
                                           Side);
          void *From = B.buffer(M::Device, 0), *To = B.buffer(M::Device, 1);
          float One = 1, Zero = 0;
          B.time([&] {
            CALL(cublasLtMatmul)(H, Product, &One, From, Layout, From, Layout,
                                 &Zero, To, Layout, To, Layout, nullptr,
                                 nullptr, 0, B.OwnStream);
          });
          CALL(cublasLtMatrixLayoutDestroy)(Layout);
          CALL(cublasLtMatmulDescDestroy)(Product);
          CALL(cublasLtDestroy)(H);
        });
}

} // namespace

void autoprof::calibrate::addBlas(Cases &C) {
  addResults(C);
  addScalars(C);
  addLt(C);
  addCopies(C);
  addHandles(C);
}
#else
void autoprof::calibrate::addBlas(Cases &C) { C.NotBuilt.push_back("cublas"); }
#endif
