// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding libcupti, and its functions as pointers.
#pragma once

#include "runtime/cupti/Headers.h"

#include <string>

namespace autoprof::runtime {

// The functions that every supported CUPTI version (CUDA 12.0 and later) has.
#define AUTOPROF_CUPTI_FUNCTIONS(X)                                            \
  X(cuptiGetVersion)                                                           \
  X(cuptiSubscribe)                                                            \
  X(cuptiEnableCallback)                                                       \
  X(cuptiSetThreadIdType)                                                      \
  X(cuptiGetCallbackName)                                                      \
  X(cuptiGetStreamIdEx)                                                        \
  X(cuptiGetResultString)                                                      \
  X(cuptiActivityEnable)                                                       \
  X(cuptiActivityDisable)                                                      \
  X(cuptiActivitySetAttribute)                                                 \
  X(cuptiActivityRegisterCallbacks)                                            \
  X(cuptiActivityRegisterTimestampCallback)                                    \
  X(cuptiActivityFlushAll)                                                     \
  X(cuptiActivityGetNextRecord)                                                \
  X(cuptiActivityGetNumDroppedRecords)

// Declared by CUDA 13's headers only; null in older libraries.
#if AUTOPROF_HAS_CUPTI13
#define AUTOPROF_CUPTI_NEW(X) X(cuptiSubscribe_v2)
#else
#define AUTOPROF_CUPTI_NEW(X)
#endif

// Functions that some versions lack; null there.
#define AUTOPROF_CUPTI_OPTIONAL(X)                                             \
  AUTOPROF_CUPTI_NEW(X)                                                        \
  X(cuptiActivityEnableRuntimeApi)                                             \
  X(cuptiActivityEnableDriverApi)

struct CuptiLibrary {
#define AUTOPROF_DECLARE(Name) decltype(&::Name) Name = nullptr;
  AUTOPROF_CUPTI_FUNCTIONS(AUTOPROF_DECLARE)
  AUTOPROF_CUPTI_OPTIONAL(AUTOPROF_DECLARE)
#undef AUTOPROF_DECLARE

  /// Opens `Path`; or, if it is empty, the libcupti that is already loaded, or
  /// the first one found by name, next to the loaded libcudart, below
  /// $CUDA_HOME, or below /usr/local/cuda. `DriverVersion` (13000 = 13.0)
  /// decides which major version is tried first. On failure returns false, with
  /// one sentence in `Error`. The library is never closed.
  bool open(const std::string &Path, uint32_t DriverVersion,
            std::string &Error);
};

} // namespace autoprof::runtime
