// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU for programs that measure it. bin/autoprof links none of NVIDIA's
// libraries; a function is called as
//
//   CALL(cuMemAlloc)(&Pointer, Bytes);
//
// with the type from the toolkit's header and the address from the library that
// is found when it runs. The first failure is kept, so callers need not check
// each status. One thread.
#pragma once

#include "llvm/Support/Error.h"

#include <cuda.h>

namespace autoprof::cli {

/// The address of a function of the opened libraries; null: there is none.
void *findFunction(const char *Name);
/// Keeps the first failure of all calls; `Status`: 1 where the function is
/// missing.
void noteFailure(const char *Name, int Status);
/// Success, or the first failure: "cuInit: CUDA_ERROR_NO_DEVICE".
llvm::Error firstFailure();

template <typename Type> class Function;
template <typename R, typename... P> class Function<R (*)(P...)> {
  const char *Name;
  R (*Address)(P...);

public:
  explicit Function(const char *Name)
      : Name(Name), Address(reinterpret_cast<R (*)(P...)>(findFunction(Name))) {
  }
  R operator()(P... Arguments) const {
    const R Status = Address ? Address(Arguments...) : static_cast<R>(1);
    if (int(Status) != 0)
      noteFailure(Name, int(Status));
    return Status;
  }
};

#define AUTOPROF_TEXT(X) #X
/// The name is expanded first: headers rename (cuMemAlloc -> cuMemAlloc_v2).
#define AUTOPROF_FUNCTION(NAME)                                                \
  ([]() -> const ::autoprof::cli::Function<decltype(&(NAME))> & {              \
    static const ::autoprof::cli::Function<decltype(&(NAME))> Found(           \
        AUTOPROF_TEXT(NAME));                                                  \
    return Found;                                                              \
  }())
#define CALL(NAME) AUTOPROF_FUNCTION(NAME)

/// One GPU, its context current, with a stream and kernels.
struct Gpu {
  int Count = 0;              ///< How many the driver finds.
  int Cuda = 0;               ///< What the driver is for; 13000: 13.0.
  CUstream Stream = nullptr;  ///< Non-blocking.
  CUfunction Empty = nullptr; ///< A kernel that does nothing.
  CUfunction Waits = nullptr; ///< Spins for its argument, ns.

  /// An error is a sentence for the user.
  llvm::Error open(int GpuIndex);
  CUresult launchEmpty() const;
};

} // namespace autoprof::cli
