// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers as profilers write them in JSON, with the quotes or without.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace autoprof::trace {

/// "12.345" microseconds -> 12345 ns, exactly: a double has not enough digits.
/// nullopt if it is not a number, or more than a hundred years.
std::optional<int64_t> parseMicroseconds(llvm::StringRef Text);

/// Decimal, or hexadecimal with 0x; "7.0" is 7.
std::optional<int64_t> parseInteger(llvm::StringRef Text);

} // namespace autoprof::trace
