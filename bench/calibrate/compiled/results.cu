// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thrust's algorithms that return a value or an iterator.
#include "Policies.h"

#include <thrust/count.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/unique.h>

namespace {

template <typename P> void reduce(const Timer &T, const P &Policy) {
  Vector &V = numbers();
  volatile int Sum = 0;
  T.time([&] { Sum = thrust::reduce(Policy, V.begin(), V.end()); });
}

template <typename P> void count(const Timer &T, const P &Policy) {
  Vector &V = numbers();
  volatile size_t Found = 0;
  T.time([&] { Found = thrust::count(Policy, V.begin(), V.end(), 1); });
}

template <typename P> void find(const Timer &T, const P &Policy) {
  Vector &V = numbers();
  T.time([&] { thrust::find(Policy, V.begin(), V.end(), 1); });
}

template <typename P> void min_element(const Timer &T, const P &Policy) {
  Vector &V = numbers();
  T.time([&] { thrust::min_element(Policy, V.begin(), V.end()); });
}

template <typename P> void inner_product(const Timer &T, const P &Policy) {
  Vector &V = numbers();
  volatile int Sum = 0;
  T.time([&] {
    Sum = thrust::inner_product(Policy, V.begin(), V.end(), V.begin(), 0);
  });
}

template <typename P> void unique(const Timer &T, const P &Policy) {
  Vector &V = numbers();
  T.time([&] { thrust::unique(Policy, V.begin(), V.end()); });
}

} // namespace

AUTOPROF_POLICIES(reduce)
AUTOPROF_POLICIES(count)
AUTOPROF_POLICIES(find)
AUTOPROF_POLICIES(min_element)
AUTOPROF_POLICIES(inner_product)
AUTOPROF_POLICIES(unique)
