// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuFFT: plans and transforms.
#include "calibrate/Bench.h"
#include "calibrate/CaseFiles.h"

#if __has_include(<cufft.h>)
#include <cufft.h>

using namespace autoprof::calibrate;
using namespace autoprof::catalogue;
using M = Bench::Memory;

namespace {

constexpr int N = 4096, Side = 128, Depth = 32;

/// Adds the creation of a plan, which is destroyed after it.
void addPlan(Cases &C, const char *Name, const char *Arguments,
             void (*Make)(cufftHandle *)) {
  C.add(Name, Arguments, Facts(), [Make](Bench &B) {
    cufftHandle P = 0;
    B.time([&] { Make(&P); });
    CALL(cufftDestroy)(P);
  });
}

/// The same for the calls that want a handle from cufftCreate.
void addMade(Cases &C, const char *Name, const char *Arguments,
             void (*Make)(cufftHandle, size_t *)) {
  C.add(Name, Arguments, Facts(), [Make](Bench &B) {
    cufftHandle P = 0;
    size_t WorkSize = 0;
    CALL(cufftCreate)(&P);
    B.time([&] { Make(P, &WorkSize); });
    CALL(cufftDestroy)(P);
  });
}

void addPlans(Cases &C) {
  addPlan(C, "cufftPlan1d", "4,096 points",
          [](cufftHandle *P) { CALL(cufftPlan1d)(P, N, CUFFT_C2C, 1); });
  addPlan(C, "cufftPlan1d", "65,521 points, a prime",
          [](cufftHandle *P) { CALL(cufftPlan1d)(P, 65521, CUFFT_C2C, 1); });
  addPlan(C, "cufftPlan2d", "128 x 128 points",
          [](cufftHandle *P) { CALL(cufftPlan2d)(P, Side, Side, CUFFT_C2C); });
  addPlan(C, "cufftPlan3d", "32 x 32 x 32 points", [](cufftHandle *P) {
    CALL(cufftPlan3d)(P, Depth, Depth, Depth, CUFFT_C2C);
  });
  addPlan(C, "cufftPlanMany", "16 x 4,096 points", [](cufftHandle *P) {
    int Points = N;
    CALL(cufftPlanMany)(P, 1, &Points, nullptr, 1, N, nullptr, 1, N, CUFFT_C2C,
                        16);
  });
  addMade(C, "cufftMakePlan1d", "4,096 points",
          [](cufftHandle P, size_t *Size) {
            CALL(cufftMakePlan1d)(P, N, CUFFT_C2C, 1, Size);
          });
  addMade(C, "cufftMakePlan2d", "128 x 128 points",
          [](cufftHandle P, size_t *Size) {
            CALL(cufftMakePlan2d)(P, Side, Side, CUFFT_C2C, Size);
          });
  addMade(C, "cufftMakePlan3d", "32 x 32 x 32 points",
          [](cufftHandle P, size_t *Size) {
            CALL(cufftMakePlan3d)(P, Depth, Depth, Depth, CUFFT_C2C, Size);
          });
  addMade(C, "cufftMakePlanMany", "16 x 4,096 points",
          [](cufftHandle P, size_t *Size) {
            int Points = N;
            CALL(cufftMakePlanMany)(P, 1, &Points, nullptr, 1, N, nullptr, 1, N,
                                    CUFFT_C2C, 16, Size);
          });
  addMade(C, "cufftMakePlanMany64", "16 x 4,096 points",
          [](cufftHandle P, size_t *Size) {
            long long Points = N;
            CALL(cufftMakePlanMany64)(P, 1, &Points, nullptr, 1, N, nullptr, 1,
                                      N, CUFFT_C2C, 16, Size);
          });
  C.add("cufftDestroy", "4,096 points", Facts(), [](Bench &B) {
    cufftHandle P = 0;
    CALL(cufftPlan1d)(&P, N, CUFFT_C2C, 1);
    B.time([&] { CALL(cufftDestroy)(P); });
  });
  C.add("cufftDestroy", "128 x 128 points", Facts(), [](Bench &B) {
    cufftHandle P = 0;
    CALL(cufftPlan2d)(&P, Side, Side, CUFFT_C2C);
    B.time([&] { CALL(cufftDestroy)(P); });
  });
  C.add("cufftCreate", "", Facts(), [](Bench &B) {
    cufftHandle P = 0;
    B.time([&] { CALL(cufftCreate)(&P); });
    CALL(cufftDestroy)(P);
  });
}

/// A transform on the own stream.
template <typename Run>
void addTransform(Cases &C, const char *Name, cufftType Type, Run Execute) {
  C.add(Name, "4,096 points", Facts(), [=](Bench &B) {
    cufftHandle P = 0;
    void *In = B.buffer(M::Device, 0), *Out = B.buffer(M::Device, 1);
    CALL(cufftPlan1d)(&P, N, Type, 1);
    CALL(cufftSetStream)(P, B.OwnStream);
    B.time([&] { Execute(P, In, Out); });
    CALL(cufftDestroy)(P);
  });
}

void addTransforms(Cases &C) {
  addTransform(
      C, "cufftExecC2C", CUFFT_C2C, [](cufftHandle P, void *In, void *Out) {
        CALL(cufftExecC2C)(P, static_cast<cufftComplex *>(In),
                           static_cast<cufftComplex *>(Out), CUFFT_FORWARD);
      });
  addTransform(C, "cufftExecR2C", CUFFT_R2C,
               [](cufftHandle P, void *In, void *Out) {
                 CALL(cufftExecR2C)(P, static_cast<cufftReal *>(In),
                                    static_cast<cufftComplex *>(Out));
               });
  addTransform(C, "cufftExecZ2Z", CUFFT_Z2Z,
               [](cufftHandle P, void *In, void *Out) {
                 CALL(cufftExecZ2Z)(P, static_cast<cufftDoubleComplex *>(In),
                                    static_cast<cufftDoubleComplex *>(Out),
                                    CUFFT_FORWARD);
               });
}

} // namespace

void autoprof::calibrate::addFft(Cases &C) {
  addPlans(C);
  addTransforms(C);
}
#else
void autoprof::calibrate::addFft(Cases &C) { C.NotBuilt.push_back("cufft"); }
#endif
