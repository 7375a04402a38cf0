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

double tensors(torch::Tensor loss, const at::Tensor &mask) {AP_RANGE(0x956a4f09cfa4475f)
  double sum = (AP_SITE(0xe2bdd0aef8af2ea6) loss.item<double>());
  sum += (AP_SITE(0xe2bdd1aef8af3059) loss.item()).to<double>();
  sum += (AP_SITE(0xe2bdceaef8af2b40) (AP_SITE(0x32e324b6a4b8faa1) (loss * 2).cpu()).item<float>());
  torch::Tensor copy = (AP_SITE(0x5d45d4c66e335cf4) (AP_SITE(0x5d45d5c66e335ea7) loss.to("cuda", /*non_blocking=*/true)).to("cpu"));
  AP_SITE(0x3e3b239a3797eaf9) copy.copy_(mask);
  copy = (AP_SITE(0xc77b143152db1569) torch::nonzero(mask));
  AP_SITE(0xff0cbf304f78fd4c) torch::cuda::synchronize();
  if ((AP_SITE(0xe2bdcfaef8af2cf3) mask.item<bool>()) && mask.is_cuda())
    std::printf("%d\n", int(mask.numel()));
  return sum + mine::Tensor().item();
}

template <class T> T dependent(const at::Tensor &t, rmm::device_uvector<T> &v) {AP_RANGE(0xa6e6118bbd12f1b4)
  T first = (AP_SITE(0x611ab462cc63f17d) v.front_element({}));
  T value = (AP_SITE(0xc13515f8e6ad12e5) t.template item<T>());
  AP_SITE(0x6b7af7cf26c2811d) Kokkos::fence();
  return first + value + v.size();
}

struct Layer {
  rmm::device_uvector<float> weights;
  explicit Layer(rmm::cuda_stream_view s) : weights(4, s) {}
};

int objects(int n) {AP_RANGE(0x2d884aa0370d2900)
  AP_OBJECT(0x12d01abcf0120170) AP_OBJECT(0x12d01bbcf0120323) AP_SITE_BEGIN(0x4639489bcc8b25dc) Kokkos::View<float> a("a", n), b; AP_SITE_END(0x4639489bcc8b25dc) AP_OBJECT_END(0x12d01bbcf0120323) AP_OBJECT_END(0x12d01abcf0120170)
  AP_OBJECT(0x12d01cbcf01204d6) Kokkos::View<float> same = a; AP_OBJECT_END(0x12d01cbcf01204d6)
  AP_SITE(0x1ffe84881c1bc937) Kokkos::parallel_for(n, [](int) {});
  int sum = 0;
  AP_SITE(0xe36980c75e0d272e) Kokkos::parallel_reduce(n, [](int i, int &s) { s += i; }, sum);
  AP_SITE(0xfa616dadaf410eea) Kokkos::deep_copy(a, b);
  AP_OBJECT(0xf928a8793c19b04e) Layer layer({}); AP_OBJECT_END(0xf928a8793c19b04e)
  AP_OBJECT(0xf928a9793c19b201) std::vector<Layer> layers; AP_OBJECT_END(0xf928a9793c19b201)
  AP_OBJECT(0xf928a6793c19ace8) auto owned = std::make_unique<Layer>(rmm::cuda_stream_view()); AP_OBJECT_END(0xf928a6793c19ace8)
  auto *raw = new Layer({});
  AP_SITE(0xf928a7793c19ae9b) delete raw;
  if (n > 1)
    return sum;
  AP_SITE(0xf48bfaf963beac5c) rmm::cuda_stream_view().synchronize();
  rmm::prefetch(1);
  mine::fence();
  mine::torch::synchronize();
  return sum + 1;
}

int main() {AP_RANGE(0x747ccef87d9f7f76)
  AP_OBJECT(0xac4a72dc0e2e000c) rmm::device_uvector<float> v(1, {}); AP_OBJECT_END(0xac4a72dc0e2e000c)
  std::printf("%g\n", tensors({}, {}));
  std::printf("%g\n", dependent<float>({}, v));
  std::printf("%d\n", objects(1));
  std::printf("%d\n", objects(3));
}
AP_TABLE("0x956a4f09cfa4475f|function|26|8|libraries.cu|tensors|;0xe2bdd0aef8af2ea6|copy|27|21|libraries.cu|tensors|at::Tensor::item;0xe2bdd1aef8af3059|copy|28|15|libraries.cu|tensors|at::Tensor::item;0x32e324b6a4b8faa1|copy|29|21|libraries.cu|tensors|at::Tensor::cpu;0xe2bdceaef8af2b40|copy|29|27|libraries.cu|tensors|at::Tensor::item;0x5d45d5c66e335ea7|copy|30|29|libraries.cu|tensors|at::Tensor::to;0x5d45d4c66e335cf4|copy|30|63|libraries.cu|tensors|at::Tensor::to;0x3e3b239a3797eaf9|copy|31|8|libraries.cu|tensors|at::Tensor::copy_;0xc77b143152db1569|copy|32|10|libraries.cu|tensors|at::nonzero;0xff0cbf304f78fd4c|sync|33|3|libraries.cu|tensors|torch::cuda::synchronize;0xe2bdcfaef8af2cf3|copy|34|12|libraries.cu|tensors|at::Tensor::item;0xa6e6118bbd12f1b4|function|39|22|libraries.cu|dependent|;0x611ab462cc63f17d|copy|40|15|libraries.cu|dependent|rmm::device_uvector::front_element;0xc13515f8e6ad12e5|copy|41|13|libraries.cu|dependent|at::Tensor::item;0x6b7af7cf26c2811d|sync|42|3|libraries.cu|dependent|Kokkos::fence;0x2d884aa0370d2900|function|51|5|libraries.cu|objects|;0x4639489bcc8b25dc|alloc|52|23|libraries.cu|objects|Kokkos::View::View;0x12d01abcf0120170|free|52|23|libraries.cu|objects|Kokkos::View::~View;0x12d01bbcf0120323|free|52|34|libraries.cu|objects|Kokkos::View::~View;0x12d01cbcf01204d6|free|53|23|libraries.cu|objects|Kokkos::View::~View;0x1ffe84881c1bc937|launch|54|3|libraries.cu|objects|Kokkos::parallel_for;0xe36980c75e0d272e|launch|56|3|libraries.cu|objects|Kokkos::parallel_reduce;0xfa616dadaf410eea|copy|57|3|libraries.cu|objects|Kokkos::deep_copy;0xf928a8793c19b04e|free|58|9|libraries.cu|objects|rmm::device_uvector::~device_uvector;0xf928a9793c19b201|free|59|22|libraries.cu|objects|rmm::device_uvector::~device_uvector;0xf928a6793c19ace8|free|60|8|libraries.cu|objects|rmm::device_uvector::~device_uvector;0xf928a7793c19ae9b|free|62|3|libraries.cu|objects|rmm::device_uvector::~device_uvector;0xf48bfaf963beac5c|sync|65|27|libraries.cu|objects|rmm::cuda_stream_view::synchronize;0x747ccef87d9f7f76|function|72|5|libraries.cu|main|;0xac4a72dc0e2e000c|free|73|30|libraries.cu|main|rmm::device_uvector::~device_uvector;")
