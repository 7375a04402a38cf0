// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thrust's algorithms that need temporary memory and return no value.
#include "Policies.h"

#include <thrust/scan.h>
#include <thrust/sort.h>

namespace {

template <typename P> void sort(const Timer &T, const P &Policy) {
  Vector &V = numbers();
  T.time([&] { thrust::sort(Policy, V.begin(), V.end()); });
}

template <typename P> void inclusive_scan(const Timer &T, const P &Policy) {
  Vector &V = numbers(), &To = numbers(1);
  T.time(
      [&] { thrust::inclusive_scan(Policy, V.begin(), V.end(), To.begin()); });
}

template <typename P> void exclusive_scan(const Timer &T, const P &Policy) {
  Vector &V = numbers(), &To = numbers(1);
  T.time(
      [&] { thrust::exclusive_scan(Policy, V.begin(), V.end(), To.begin()); });
}

} // namespace

AUTOPROF_POLICIES(sort)
AUTOPROF_POLICIES(inclusive_scan)
AUTOPROF_POLICIES(exclusive_scan)
