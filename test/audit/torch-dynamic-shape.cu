// The size of a result depends on the data of a CUDA tensor.
// RUN: %python %S/check_rules.py %autoprof audit --format=json -- %clang_cuda -isystem %S/Inputs -fsyntax-only -- %s
#include <torch/torch.h>

void shapes(torch::optim::SGD &optimizer, int steps) {
  auto x = torch::rand({4}, torch::kCUDA);
  auto zero = torch::zeros({4}, torch::kCUDA);
  auto once = x.nonzero();
  for (int i = 0; i < steps; ++i) {
    optimizer.step();
    auto a = x.nonzero(); // expect: autoprof-torch-dynamic-shape high
    auto b = torch::nonzero(x); // expect: same
    auto c = x.masked_select(x > 0.5); // expect: same
    auto d = x.index({x > 0.5}); // expect: same
    auto e = torch::where(x > 0.5); // expect: same
    auto f = torch::one_hot(x); // expect: same
    auto g = torch::where(x > 0.5, x, zero);
    auto h = torch::one_hot(x, 10);
    auto j = x.index({3});
    auto k = (x > 0.5).sum();
    auto l = x * 2;
    auto m = torch::relu(x);
  }
}

void quiet(const torch::Tensor &given, torch::optim::SGD &optimizer, int steps) {
  auto host = torch::rand({4});
  for (int i = 0; i < steps; ++i) {
    optimizer.step();
    auto a = host.nonzero();
    auto b = host.masked_select(host > 0.5);
    auto c = given.nonzero();
    auto d = torch::where(host > 0.5);
    auto e = host.index({host > 0.5});
    auto f = torch::one_hot(given);
  }
}

// Writing through a mask: only values of the device need the number of elements.
void writes(torch::optim::SGD &optimizer, int steps) {
  auto x = torch::rand({4}, torch::kCUDA);
  auto value = torch::rand({4}, torch::kCUDA);
  auto one = torch::zeros({1});
  for (int i = 0; i < steps; ++i) {
    optimizer.step();
    x.index_put_({x > 0.5}, value); // expect: autoprof-torch-dynamic-shape high
    x.index_put_({x > 0.5}, one);
    x.index_put_({2}, value);
  }
}
