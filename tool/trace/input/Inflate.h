// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_TRACE_INPUT_INFLATE_H
#define AUTOPROF_TRACE_INPUT_INFLATE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace autoprof::trace {

/// Unpacks as much of a gzip file or a zlib stream as is there: a stream that
/// is cut off gives what came before, and one larger than `Limit` bytes gives
/// slightly more than that.
std::string inflated(llvm::StringRef Bytes, size_t Limit = SIZE_MAX);

/// What one packet of a Perfetto trace may become, which is at most 512 KB
/// when Perfetto packs it.
constexpr size_t MostInPacket = size_t(64) << 20;

} // namespace autoprof::trace

#endif // AUTOPROF_TRACE_INPUT_INFLATE_H
