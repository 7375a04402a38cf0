// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MLP_TRAIN_DEVICE_BUFFER_H
#define MLP_TRAIN_DEVICE_BUFFER_H

#include "cuda_check.h"

#include <cstddef>
#include <utility>
#include <vector>

/// Owns `size` floats in device memory.
class DeviceBuffer {
public:
  explicit DeviceBuffer(std::size_t size) : size_(size) {
    CUDA_CHECK(cudaMalloc(&data_, size * sizeof(float)));
  }
  DeviceBuffer(DeviceBuffer &&other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(DeviceBuffer &&) = delete;
  ~DeviceBuffer() { cudaFree(data_); }

  float *data() { return data_; }
  const float *data() const { return data_; }
  int size() const { return static_cast<int>(size_); }

  /// Waits for the GPU and returns the contents.
  std::vector<float> download() const {
    std::vector<float> host(size_);
    CUDA_CHECK(cudaMemcpy(host.data(), data_, size_ * sizeof(float),
                          cudaMemcpyDeviceToHost));
    return host;
  }

private:
  float *data_ = nullptr;
  std::size_t size_;
};

#endif // MLP_TRAIN_DEVICE_BUFFER_H
