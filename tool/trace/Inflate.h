// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_TRACE_INFLATE_H
#define AUTOPROF_TRACE_INFLATE_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace autoprof::trace {

/// Unpacks as much as is there of a gzip file or a zlib stream: what is cut off
/// gives what was before.
std::string inflated(llvm::StringRef Bytes);

} // namespace autoprof::trace

#endif // AUTOPROF_TRACE_INFLATE_H
