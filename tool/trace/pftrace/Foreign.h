// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_TRACE_PFTRACE_FOREIGN_H
#define AUTOPROF_TRACE_PFTRACE_FOREIGN_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace autoprof::trace {

/// Why a Perfetto trace that autoprof did not write cannot be used: one
/// sentence that names what is in it. Reads all of it once more.
std::string refusalOfForeign(llvm::StringRef Bytes);

} // namespace autoprof::trace

#endif // AUTOPROF_TRACE_PFTRACE_FOREIGN_H
