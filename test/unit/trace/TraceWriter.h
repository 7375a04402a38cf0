// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a Timeline as a .pftrace file (docs/trace-format.md): for traces that
// libautoprof.so did not write. readPftrace gives it back.
#pragma once

#include "trace/timeline/Timeline.h"

#include "llvm/Support/raw_ostream.h"

namespace autoprof::trace {

/// Times of `T` must not be negative.
void writePftrace(const Timeline &T, llvm::raw_ostream &Out);

} // namespace autoprof::trace
