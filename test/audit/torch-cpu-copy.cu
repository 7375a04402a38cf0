// A CUDA tensor is copied to the CPU.
// RUN: %python %S/check_rules.py %autoprof audit --format=json -- %clang_cuda -isystem %S/Inputs -fsyntax-only -- %s
#include <torch/torch.h>

void copies(torch::optim::SGD &optimizer, int steps) {
  auto x = torch::rand({4}, torch::kCUDA);
  auto host = torch::zeros({4});
  auto other = torch::zeros({4}, torch::kCUDA);
  auto once = x.cpu();
  for (int i = 0; i < steps; ++i) {
    optimizer.step();
    auto a = x.cpu(); // expect: autoprof-torch-cpu-copy high
    auto b = x.to(torch::kCPU); // expect: same
    auto c = x.to(host.options()); // expect: same
    host.copy_(x); // expect: same
    auto d = x.to(torch::kCPU, true); // it does not wait
    auto e = x.to(torch::kFloat);
    auto f = x.to(torch::kCUDA);
    auto g = x.to(other.options());
    other.copy_(x);
    auto h = host.cpu();
    auto j = host.to(torch::kFloat);
    auto k = once.cpu();
  }
}

void quiet(const torch::Tensor &given, torch::optim::SGD &optimizer, int steps) {
  auto pinned = torch::zeros({4}).pin_memory();
  auto x = torch::rand({4}, torch::kCUDA);
  for (int i = 0; i < steps; ++i) {
    optimizer.step();
    auto a = given.cpu();
    auto b = given.to(torch::kCPU);
    pinned.copy_(x, true);
  }
  for (int i = 0; i < 2; ++i) {
    optimizer.step();
    auto a = x.cpu();
  }
}
