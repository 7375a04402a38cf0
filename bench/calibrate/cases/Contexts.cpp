// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that make a context or tear one down. The bench's own is opened again
// after each sample that destroyed it.
#include "calibrate/Bench.h"
#include "calibrate/CaseFiles.h"

#include <cuda_runtime_api.h>

using namespace autoprof::calibrate;
using namespace autoprof::catalogue;

namespace {

void addReset(Cases &C, const char *Name, void (*Reset)(const Bench &)) {
  C.add(Name, "of the context that has the work", Facts(), [Reset](Bench &B) {
     B.timeLast([&] { Reset(B); });
     B.reopen();
   }).Destroys = true;
}

CUcontext newContext(const Bench &B) {
  CUcontext New = nullptr;
#if CUDA_VERSION >= 13000
  CALL(cuCtxCreate)(&New, nullptr, 0, B.Device);
#else
  CALL(cuCtxCreate)(&New, 0, B.Device);
#endif
  return New;
}

void addCreateAndDestroy(Cases &C) {
  C.add("cuCtxCreate", "", Facts(), [](Bench &B) {
    CUcontext New = nullptr;
    B.time([&] { New = newContext(B); });
    CALL(cuCtxDestroy)(New);
  });
  // It has work of its own besides that on the own stream.
  C.add("cuCtxDestroy", "a context that has work", Facts(), [](Bench &B) {
    CUcontext New = newContext(B), Popped = nullptr;
    CALL(cuCtxPopCurrent)(&Popped);
    B.time([&] { CALL(cuCtxDestroy)(New); },
           [&] {
             if (B.asked().Work != PriorWork::OwnStream)
               return;
             CALL(cuCtxPushCurrent)(New);
             B.spin(CU_STREAM_LEGACY, B.asked().Ns);
             CALL(cuCtxPopCurrent)(&Popped);
           });
  });
}

#if CUDA_VERSION >= 12040
/// A context of all multiprocessors next to the one that has the work.
void addGreen(Cases &C) {
  C.add("cuGreenCtxDestroy", "without work of its own", Facts(), [](Bench &B) {
    CUdevResource Multiprocessors = {};
    CUdevResourceDesc Description = nullptr;
    CUgreenCtx New = nullptr;
    CALL(cuDeviceGetDevResource)(B.Device, &Multiprocessors,
                                 CU_DEV_RESOURCE_TYPE_SM);
    CALL(cuDevResourceGenerateDesc)(&Description, &Multiprocessors, 1);
    CALL(cuGreenCtxCreate)(&New, Description, B.Device,
                           CU_GREEN_CTX_DEFAULT_STREAM);
    B.time([&] { CALL(cuGreenCtxDestroy)(New); });
  });
}
#else
void addGreen(Cases &) {}
#endif

} // namespace

void autoprof::calibrate::addContexts(Cases &C) {
  addReset(C, "cudaDeviceReset",
           [](const Bench &) { CALL(cudaDeviceReset)(); });
  addReset(C, "cuDevicePrimaryCtxReset",
           [](const Bench &B) { CALL(cuDevicePrimaryCtxReset)(B.Device); });
  addCreateAndDestroy(C);
  addGreen(C);
}
