// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The GPU as a case sees it: streams, buffers, a kernel, and time(). Lives in
// the worker; one thread.
//
// How one sample shows whether a call waits: before the call, a kernel is
// queued that spins until the host sets a flag, or gives up after a fixed time.
// The flag is set as soon as the call has returned. A call that does not wait
// returns at once, the flag is set, and the kernel ends early. A call that
// waits for the kernel cannot return before the kernel gave up. So both the
// time in the call and whether the kernel had given up when it returned are
// known, and measuring a call that does not wait takes microseconds.
#ifndef AUTOPROF_CALIBRATE_BENCH_H
#define AUTOPROF_CALIBRATE_BENCH_H

#include "calibrate/Library.h"
#include "catalogue/Semantics.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <cuda.h>

#include <optional>

namespace autoprof::calibrate {

/// What is queued before the call.
struct Queued {
  std::optional<catalogue::PriorWork> Work; ///< None: the GPU is idle.
  int64_t Ns = 0; ///< After which the kernel gives up.
};

struct Sample {
  int64_t Ns = 0;      ///< Inside the call.
  bool Taken = false;  ///< time() was reached, and nothing failed before.
  bool GaveUp = false; ///< The kernel had, when the call returned.
};

class Bench {
public:
  /// Opens driver and runtime and makes the primary context of `Device`
  /// current. An error is a sentence for the user.
  llvm::Error open(int Device);

  // What cases use.

  CUstream OwnStream = nullptr; ///< Non-blocking.
  CUstream OtherNonBlocking = nullptr, OtherBlocking = nullptr;
  CUfunction Empty = nullptr; ///< A kernel that does nothing, no arguments.
  /// The same for the runtime's launches (a cudaKernel_t).
  const void *EmptyKernel = nullptr;
  int Device = 0, OtherDevice = -1; ///< -1: there is none.
  CUcontext Context = nullptr;

  /// Times `Call` after the work that the sample requests. `Prepare` runs
  /// untimed after that was queued. Does nothing if something failed. Waits
  /// until the GPU is idle before and after.
  void time(
      llvm::function_ref<void()> Call,
      llvm::function_ref<void()> Prepare = [] {}) {
    time(Call, Prepare, /*DestroysContext=*/false);
  }
  /// The same for a call that destroys the context: nothing waits after it, and
  /// the GPU must be opened again.
  void timeLast(llvm::function_ref<void()> Call) {
    time(Call, [] {}, /*DestroysContext=*/true);
  }

  /// Scratch memory, made at the first use and kept: at least 64 MiB + 1 byte.
  /// `Index` chooses one of two buffers.
  enum class Memory { Pageable, Pinned, Registered, Device, Managed };
  void *buffer(Memory M, unsigned Index = 0);

  /// Opens the GPU again, after timeLast().
  void reopen();

  /// The folder with the output of nvcc, as NAME.so; "": none.
  std::string CompiledFolder;
  /// PTX of the kernels above, for cases that load it again.
  const char *ptx() const { return Ptx.c_str(); }
  /// Queues the spinning kernel on a stream of the current context.
  void spin(CUstream Stream, int64_t Ns);
  /// What the sample asks for.
  const Queued &asked() const { return Asked; }
  /// Whether the GPU reads pageable memory by itself.
  bool PageableMemoryAccess = false;
  unsigned Gpus = 0;
  unsigned RuntimeMajor = 0; ///< 0: there is no runtime.

  // What the worker uses.

  /// Runs the body of a case once.
  Sample sample(llvm::function_ref<void(Bench &)> Body, Queued Q);
  /// How many launches are queued after a busy kernel before one blocks; none:
  /// none of many did.
  std::optional<int64_t> countQueue();
  /// Whether the context still works.
  bool healthy();
  std::string Gpu, ComputeCapability, Driver, Cuda;

private:
  llvm::Error openLibraries();
  llvm::Error openDevice(int Index);
  llvm::Error loadKernels();
  void makeFlags();
  void time(llvm::function_ref<void()> Call, llvm::function_ref<void()> Prepare,
            bool DestroysContext);
  void synchronize();

  /// Shared with the spinning kernel, in host memory.
  struct Flags {
    volatile uint32_t Stop;   ///< Set by the host.
    volatile uint32_t GaveUp; ///< Set by the kernel.
  };
  Flags *Host = nullptr;
  CUdeviceptr FlagsOnDevice = 0;
  CUfunction Spin = nullptr;
  std::string Ptx;
  Queued Asked;
  Sample Last;
  void *Buffers[5][2] = {};
};

} // namespace autoprof::calibrate

#endif // AUTOPROF_CALIBRATE_BENCH_H
