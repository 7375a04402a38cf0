// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/StringRef.h"

namespace autoprof::analysis {

/// What belongs to a value of an enumeration; by value.
template <typename Enum, size_t N>
constexpr llvm::StringRef nth(Enum V, const llvm::StringLiteral (&Of)[N]) {
  return Of[unsigned(V)];
}

} // namespace autoprof::analysis
