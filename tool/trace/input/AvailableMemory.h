// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

namespace autoprof::trace {

/// Bytes that this process can still allocate: the least of what the machine
/// has without swapping, what its container (a control group, version 2) may
/// use, and its own limit (`ulimit -v`). 0: unknown.
uint64_t availableMemory();

/// "3 GB", "120 MB", rounded.
std::string gigabytes(uint64_t Bytes);
std::string megabytes(uint64_t Bytes);

} // namespace autoprof::trace
