// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/STLExtras.h"

#include <functional>

namespace autoprof::analysis {

/// By what `Key` gives for each: a member, or a function. Equal ones keep their
/// order.
template <typename Range, typename KeyOf>
void sortBy(Range &&R, const KeyOf &Key) {
  llvm::stable_sort(R, [&](const auto &A, const auto &B) {
    return std::invoke(Key, A) < std::invoke(Key, B);
  });
}

/// The same, from the largest to the smallest.
template <typename Range, typename KeyOf>
void largestFirst(Range &&R, const KeyOf &Key) {
  llvm::stable_sort(R, [&](const auto &A, const auto &B) {
    return std::invoke(Key, B) < std::invoke(Key, A);
  });
}

} // namespace autoprof::analysis
