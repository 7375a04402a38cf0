// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The declarations that a test needs, with the shape of the real ones. Does
// nothing.
#pragma once

namespace rmm {
class cuda_stream_view {
public:
  void synchronize() const {}
};
template <class T> class device_uvector {
  T value_{};

public:
  device_uvector(int, cuda_stream_view) {}
  device_uvector(device_uvector &&) = default;
  ~device_uvector() {}
  T element(int, cuda_stream_view) const { return value_; }
  T front_element(cuda_stream_view s) const { return element(0, s); }
  int size() const { return 1; }
};
} // namespace rmm
