// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_TRACE_INPUT_INFLATE_H
#define AUTOPROF_TRACE_INPUT_INFLATE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace autoprof::trace {

/// Unpacks as much as is there of a gzip file or a zlib stream: what is cut off
/// gives what was before, and of what becomes larger than `Limit` bytes there
/// is a little more than so many.
std::string inflated(llvm::StringRef Bytes, size_t Limit = SIZE_MAX);

/// What one packet of a Perfetto trace may become, which is at most 512 KB
/// when Perfetto packs it.
constexpr size_t MostInPacket = size_t(64) << 20;

} // namespace autoprof::trace

#endif // AUTOPROF_TRACE_INPUT_INFLATE_H
