// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of C++ libraries, by qualified name and by where they are declared.
// RUN: %check_rewrite --run --strict --std=c++17 --std=c++20 -- -isystem %S/Libraries
#include <Kokkos_Core.hpp>
#include <rmm/device_uvector.hpp>
#include <torch/torch.h>

#include <cstdio>
#include <memory>
#include <vector>

// Names of the user's that only look like a library's.
namespace mine {
namespace torch {
inline void synchronize() {}
} // namespace torch
inline void fence() {}
struct Tensor {
  float item() const { return 3; }
};
} // namespace mine
namespace rmm {
inline void prefetch(int) {}
} // namespace rmm

double tensors(torch::Tensor loss, const at::Tensor &mask) {
  double sum = loss.item<double>();
  sum += loss.item().to<double>();
  sum += (loss * 2).cpu().item<float>();
  torch::Tensor copy = loss.to("cuda", /*non_blocking=*/true).to("cpu");
  copy.copy_(mask);
  copy = torch::nonzero(mask);
  torch::cuda::synchronize();
  if (mask.item<bool>() && mask.is_cuda())
    std::printf("%d\n", int(mask.numel()));
  return sum + mine::Tensor().item();
}

template <class T> T dependent(const at::Tensor &t, rmm::device_uvector<T> &v) {
  T first = v.front_element({});
  T value = t.template item<T>();
  Kokkos::fence();
  return first + value + v.size();
}

struct Layer {
  rmm::device_uvector<float> weights;
  explicit Layer(rmm::cuda_stream_view s) : weights(4, s) {}
};

int objects(int n) {
  Kokkos::View<float> a("a", n), b;
  Kokkos::View<float> same = a;
  Kokkos::parallel_for(n, [](int) {});
  int sum = 0;
  Kokkos::parallel_reduce(n, [](int i, int &s) { s += i; }, sum);
  Kokkos::deep_copy(a, b);
  Layer layer({});
  std::vector<Layer> layers;
  auto owned = std::make_unique<Layer>(rmm::cuda_stream_view());
  auto *raw = new Layer({});
  delete raw;
  if (n > 1)
    return sum;
  rmm::cuda_stream_view().synchronize();
  rmm::prefetch(1);
  mine::fence();
  mine::torch::synchronize();
  return sum + 1;
}

int main() {
  rmm::device_uvector<float> v(1, {});
  std::printf("%g\n", tensors({}, {}));
  std::printf("%g\n", dependent<float>({}, v));
  std::printf("%d\n", objects(1));
  std::printf("%d\n", objects(3));
}
