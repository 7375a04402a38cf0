/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A class that has the name of Thrust's: its construction and destruction are
 * sites though no call is written. */
#ifndef FAKE_DEVICE_VECTOR_H
#define FAKE_DEVICE_VECTOR_H
#include <stddef.h>
#include <trace.h>
extern "C" void fake_ran(const char *site);

namespace thrust {
template <class T> class device_vector {
  size_t size_;

public:
  device_vector() : size_(0) {}
  explicit device_vector(size_t size) : size_(size) {
    fake_ran("thrust::device_vector::device_vector");
    trace(int(size_) + 300);
  }
  device_vector(size_t size, const T &value) : size_(size) {
    fake_ran("thrust::device_vector::device_vector");
    trace(int(size_) + int(value) + 400);
  }
  device_vector(const device_vector &other) : size_(other.size_) {
    fake_ran("thrust::device_vector::device_vector");
    trace(int(size_) + 500);
  }
  device_vector &operator=(const device_vector &) = default;
  ~device_vector() {
    if (size_)
      fake_ran("thrust::device_vector::~device_vector");
    trace(int(size_) + 600);
  }
  size_t size() const { return size_; }
};
} // namespace thrust
#endif
