// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stand-in for libtorch: the declarations that the tests use, in the
// namespaces of the real ones.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <vector>

namespace c10 {
enum class DeviceType : int8_t { CPU = 0, CUDA = 1 };
enum class ScalarType : int8_t { Float, Bool };
struct Device final {
  Device(DeviceType Type, int8_t Index = -1);
  Device(const std::string &Text);
};
struct TensorOptions {
  TensorOptions();
  TensorOptions(Device D);
  TensorOptions(DeviceType D);
  TensorOptions(ScalarType T);
  TensorOptions device(Device D) const;
  TensorOptions dtype(ScalarType T) const;
};
struct Scalar {
  Scalar(double Value);
};
using IntArrayRef = std::initializer_list<int64_t>;
} // namespace c10

namespace at {
using c10::Device;
using c10::IntArrayRef;
using c10::Scalar;
using c10::ScalarType;
using c10::TensorOptions;
class Tensor;
namespace indexing {
struct TensorIndex {
  TensorIndex(const Tensor &Mask);
  TensorIndex(int Number);
};
} // namespace indexing
class TensorBase {
public:
  int64_t size(int64_t Dim) const;
  int64_t numel() const;
  bool is_cuda() const;
  bool defined() const;
  Device device() const;
  TensorOptions options() const;
  void *data_ptr() const;
};
class Tensor : public TensorBase {
public:
  Tensor();
  Tensor(const Tensor &);
  Tensor &operator=(const Tensor &);
  ~Tensor();
  Scalar item() const;
  template <typename T> T item() const;
  bool is_nonzero() const;
  bool equal(const Tensor &Other) const;
  Tensor cpu() const;
  Tensor cuda() const;
  Tensor to(TensorOptions Options = {}, bool non_blocking = false, bool copy = false) const;
  Tensor to(Device D, ScalarType T, bool non_blocking = false) const;
  Tensor to(ScalarType T, bool non_blocking = false) const;
  Tensor &copy_(const Tensor &src, bool non_blocking = false) const;
  Tensor detach() const;
  Tensor sum() const;
  Tensor gt(const Scalar &Other) const;
  Tensor nonzero() const;
  Tensor masked_select(const Tensor &Mask) const;
  Tensor index(std::initializer_list<indexing::TensorIndex> indices) const;
  Tensor &index_put_(std::initializer_list<indexing::TensorIndex> indices, const Tensor &values);
  Tensor pin_memory() const;
  Tensor &fill_(const Scalar &Value) const;
  void backward() const;
};
Tensor operator+(const Tensor &A, const Tensor &B);
Tensor operator*(const Tensor &A, double B);
Tensor operator>(const Tensor &A, double B);
std::ostream &operator<<(std::ostream &Out, const Tensor &T);
void print(const Tensor &T);
Tensor relu(const Tensor &T);
Tensor mse_loss(const Tensor &A, const Tensor &B);
bool equal(const Tensor &A, const Tensor &B);
Tensor where(const Tensor &Condition, const Tensor &A, const Tensor &B);
std::vector<Tensor> where(const Tensor &Condition);
Tensor nonzero(const Tensor &T);
Tensor one_hot(const Tensor &T, int64_t num_classes = -1);
} // namespace at

namespace torch {
using namespace at;
using c10::Device;
constexpr c10::DeviceType kCPU = c10::DeviceType::CPU;
constexpr c10::DeviceType kCUDA = c10::DeviceType::CUDA;
constexpr c10::ScalarType kFloat = c10::ScalarType::Float;
using c10::TensorOptions;
Tensor rand(c10::IntArrayRef Size, TensorOptions Options = {});
Tensor zeros(c10::IntArrayRef Size, TensorOptions Options = {});
TensorOptions device(Device D);
TensorOptions dtype(ScalarType T);
namespace cuda {
bool is_available();
void synchronize(int64_t device_index = -1);
} // namespace cuda
namespace nn {
class Linear {
public:
  Tensor forward(const Tensor &Input);
};
} // namespace nn
namespace optim {
class SGD {
public:
  Tensor step();
  void zero_grad();
};
} // namespace optim
} // namespace torch
