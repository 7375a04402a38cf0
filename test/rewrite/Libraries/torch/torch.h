// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The declarations that a test needs, with the shape of the real ones: methods
// in a base class, an inline namespace, aliases. Does nothing.
#pragma once
#include <cstdint>
#include <utility>

namespace c10 {
class Scalar {
  double value_;

public:
  Scalar(double value) : value_(value) {}
  template <class T> T to() const { return static_cast<T>(value_); }
};
} // namespace c10

namespace at {
class TensorBase {
public:
  std::int64_t numel() const { return 1; }
  bool is_cuda() const { return false; }
};

inline namespace v1 {
class Tensor : public TensorBase {
public:
  c10::Scalar item() const { return 1.0; }
  template <class T> T item() const { return item().to<T>(); }
  Tensor to(const char *, bool = false) const { return *this; }
  Tensor cpu() const { return *this; }
  Tensor &copy_(const Tensor &) { return *this; }
  Tensor operator*(double) const { return *this; }
};
} // namespace v1

inline Tensor nonzero(const Tensor &t) { return t; }
} // namespace at

namespace torch {
using at::nonzero;
using at::Tensor;
namespace cuda {
inline void synchronize(std::int64_t = -1) {}
} // namespace cuda
} // namespace torch
