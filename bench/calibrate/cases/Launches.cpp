// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launching, and what a launch may do on the way: load code, grow the stack.
#include "calibrate/Bench.h"
#include "calibrate/CaseFiles.h"

#include <cuda_runtime_api.h>

using namespace autoprof::calibrate;
using namespace autoprof::catalogue;
using namespace autoprof::catalogue::values;

namespace {

void doNothing(void *) {}
void doNothingAfter(cudaStream_t, cudaError_t, void *) {}

void addKernels(Cases &C) {
  C.add("cudaLaunchKernel", "on a non-blocking stream", stream(NonBlocking),
        [](Bench &B) {
          B.time([&] {
            CALL(cudaLaunchKernel)(B.EmptyKernel, {1, 1, 1}, {1, 1, 1}, nullptr,
                                   0, B.OwnStream);
          });
        });
  C.add("cudaLaunchKernel", "on the legacy default stream", stream(Legacy),
        [](Bench &B) {
          B.time([&] {
            CALL(cudaLaunchKernel)(B.EmptyKernel, {1, 1, 1}, {1, 1, 1}, nullptr,
                                   0, cudaStreamLegacy);
          });
        });
  C.add("cudaLaunchKernelExC", "", Facts(), [](Bench &B) {
    cudaLaunchConfig_t Config = {};
    Config.gridDim = {1, 1, 1};
    Config.blockDim = {1, 1, 1};
    Config.stream = B.OwnStream;
    B.time([&] { CALL(cudaLaunchKernelExC)(&Config, B.EmptyKernel, nullptr); });
  });
  C.add("cudaLaunchCooperativeKernel", "", Facts(), [](Bench &B) {
    B.time([&] {
      CALL(cudaLaunchCooperativeKernel)(B.EmptyKernel, {1, 1, 1}, {1, 1, 1},
                                        nullptr, 0, B.OwnStream);
    });
  });
  C.add("cudaLaunchHostFunc", "", Facts(), [](Bench &B) {
    B.time([&] { CALL(cudaLaunchHostFunc)(B.OwnStream, doNothing, nullptr); });
  });
  C.add("cudaStreamAddCallback", "", Facts(), [](Bench &B) {
    B.time([&] {
      CALL(cudaStreamAddCallback)(B.OwnStream, doNothingAfter, nullptr, 0);
    });
  });
}

/// A copy of the kernels, not loaded yet where loading is lazy.
CUkernel freshKernel(const Bench &B, CUlibrary &Library) {
  CUkernel Kernel = nullptr;
  CALL(cuLibraryLoadData)(&Library, B.ptx(), nullptr, nullptr, 0, nullptr,
                          nullptr, 0);
  CALL(cuLibraryGetKernel)(&Kernel, Library, "autoprof_empty");
  return Kernel;
}

void addFirstLaunches(Cases &C) {
  C.add("cudaLaunchKernel", "the first of a kernel, under lazy loading",
        stream(NonBlocking), [](Bench &B) {
          CUlibrary Library = nullptr;
          const void *Kernel = freshKernel(B, Library);
          B.time([&] {
            CALL(cudaLaunchKernel)(Kernel, {1, 1, 1}, {1, 1, 1}, nullptr, 0,
                                   B.OwnStream);
          });
          CALL(cuLibraryUnload)(Library);
        });
  C.add("cuLaunchKernel", "the first of a kernel, under lazy loading",
        stream(NonBlocking), [](Bench &B) {
          CUlibrary Library = nullptr;
          auto Kernel = reinterpret_cast<CUfunction>(freshKernel(B, Library));
          B.time([&] {
            CALL(cuLaunchKernel)(Kernel, 1, 1, 1, 1, 1, 1, 0, B.OwnStream,
                                 nullptr, nullptr);
          });
          CALL(cuLibraryUnload)(Library);
        });
}

/// A kernel that needs this much stack.
std::string hungryKernel(size_t Bytes) {
  return ".version 6.3\n.target sm_75\n.address_size 64\n"
         ".visible .entry hungry(.param .u64 at) {\n"
         "  .local .align 8 .b8 frame[" +
         std::to_string(Bytes) +
         "];\n"
         "  .reg .pred %never;\n"
         "  .reg .u64 %at, %frame, %value;\n"
         "  ld.param.u64 %at, [at];\n"
         "  mov.u64 %frame, frame;\n"
         "  add.u64 %frame, %frame, %at;\n"
         "  st.local.u64 [%frame+8], %at;\n"
         "  ld.local.u64 %value, [frame+8];\n"
         // Keeps the frame from being optimized away; 'at' is 0.
         "  setp.ne.u64 %never, %at, 0;\n"
         "  @%never st.global.u64 [%at], %value;\n"
         "  ret;\n}\n";
}

void addStackGrowth(Cases &C) {
  // The driver keeps what it once allocated, until the process ends: each
  // sample needs more than the one before.
  C.add("cuLaunchKernel", "of a kernel with more stack than any before",
        stream(NonBlocking),
        [](Bench &B) {
          static size_t Bytes = 8 * KiB;
          Bytes += KiB;
          std::string Ptx = hungryKernel(Bytes);
          CUmodule Module = nullptr;
          CUfunction Kernel = nullptr;
          uint64_t At = 0;
          void *Arguments[] = {&At};
          CALL(cuModuleLoadData)(&Module, Ptx.c_str());
          CALL(cuModuleGetFunction)(&Kernel, Module, "hungry");
          B.time([&] {
            CALL(cuLaunchKernel)(Kernel, 1, 1, 1, 1, 1, 1, 0, B.OwnStream,
                                 Arguments, nullptr);
          });
          CALL(cuModuleUnload)(Module);
        })
      .Destroys = true;
}

} // namespace

void autoprof::calibrate::addLaunches(Cases &C) {
  addKernels(C);
  addFirstLaunches(C);
  addStackGrowth(C);
}
