// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver as the program would have called it.
#pragma once

#include <cuda.h>

namespace autoprof::runtime {

/// Which default stream 0 is. The driver has two of each function that takes a
/// stream; `nvcc --default-stream per-thread` selects the other one.
enum class DefaultStream : unsigned { Legacy, PerThread };

/// What 0 means there.
inline CUstream named(CUstream Stream, DefaultStream Kind) {
  if (Stream)
    return Stream;
  return Kind == DefaultStream::Legacy ? CU_STREAM_LEGACY
                                       : CU_STREAM_PER_THREAD;
}

/// The address of one of the driver's functions, by its symbol; null: it has
/// none. The driver must be loaded. Thread-safe.
void *findInDriver(const char *Symbol);

#define AUTOPROF_TEXT_OF(Name) #Name
#define AUTOPROF_SYMBOL(Name) AUTOPROF_TEXT_OF(Name)
/// Calls a function of the driver; cuda.h renames some to their present
/// version. The functions used are in each driver for CUDA 12.
#define AUTOPROF_DRIVER(Name, ...)                                             \
  ([] {                                                                        \
    static const auto Function = reinterpret_cast<decltype(&Name)>(            \
        ::autoprof::runtime::findInDriver(AUTOPROF_SYMBOL(Name)));             \
    return Function;                                                           \
  }()(__VA_ARGS__))

} // namespace autoprof::runtime
