// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thrust's algorithms that need no temporary memory and return no value, and
// device vectors.
#include "Policies.h"

#include <thrust/copy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/host_vector.h>
#include <thrust/transform.h>

#include <optional>

namespace {

struct Increment {
  __host__ __device__ int operator()(int I) const { return I + 1; }
};
struct Clear {
  __host__ __device__ void operator()(int &I) const { I = 0; }
};

template <typename P> void transform(const Timer &T, const P &Policy) {
  Vector &V = numbers(), &To = numbers(1);
  T.time([&] {
    thrust::transform(Policy, V.begin(), V.end(), To.begin(), Increment());
  });
}

template <typename P> void fill(const Timer &T, const P &Policy) {
  Vector &V = numbers(1);
  T.time([&] { thrust::fill(Policy, V.begin(), V.end(), 7); });
}

template <typename P> void for_each(const Timer &T, const P &Policy) {
  Vector &V = numbers(1);
  T.time([&] { thrust::for_each(Policy, V.begin(), V.end(), Clear()); });
}

template <typename P> void copy_within(const Timer &T, const P &Policy) {
  Vector &V = numbers(), &To = numbers(1);
  T.time([&] { thrust::copy(Policy, V.begin(), V.end(), To.begin()); });
}

thrust::host_vector<int> &onHost() {
  static auto *Kept = new thrust::host_vector<int>(N);
  return *Kept;
}

void copy_to_host(const Timer &T) {
  Vector &V = numbers();
  auto &H = onHost();
  T.time([&] { thrust::copy(V.begin(), V.end(), H.begin()); });
}

void copy_to_device(const Timer &T) {
  Vector &V = numbers(1);
  auto &H = onHost();
  T.time([&] { thrust::copy(H.begin(), H.end(), V.begin()); });
}

void element_read(const Timer &T) {
  Vector &V = numbers();
  volatile int Value = 0;
  T.time([&] { Value = V[5]; });
}

void element_write(const Timer &T) {
  Vector &V = numbers(1);
  T.time([&] { V[5] = 7; });
}

void constructor(const Timer &T) {
  std::optional<Vector> V;
  T.time([&] { V.emplace(N); });
}

void destructor(const Timer &T) {
  std::optional<Vector> V(N);
  T.time([&] { V.reset(); });
}

} // namespace

AUTOPROF_POLICIES(transform)
AUTOPROF_POLICIES(fill)
AUTOPROF_POLICIES(for_each)
AUTOPROF_POLICIES(copy_within)
AUTOPROF_CASE(copy_to_host, copy_to_host(T))
AUTOPROF_CASE(copy_to_device, copy_to_device(T))
AUTOPROF_CASE(element_read, element_read(T))
AUTOPROF_CASE(element_write, element_write(T))
AUTOPROF_CASE(constructor, constructor(T))
AUTOPROF_CASE(destructor, destructor(T))
