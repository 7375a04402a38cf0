// A CUDA tensor is printed.
// RUN: %python %S/check_rules.py %autoprof audit --format=json -- %clang_cuda -isystem %S/Inputs -fsyntax-only -- %s
#include <iostream>
#include <torch/torch.h>

void prints(const torch::Tensor &given, torch::optim::SGD &optimizer, int steps) {
  auto x = torch::rand({4}, torch::kCUDA);
  auto host = torch::zeros({4});
  std::cout << x; // once
  for (int i = 0; i < steps; ++i) {
    optimizer.step();
    std::cout << x << '\n'; // expect: autoprof-torch-print high
    torch::print(x); // expect: same
    std::cout << i << '\n';
    std::cout << host << '\n';
    std::cout << x.size(0) << ' ' << x.numel();
    std::cout << given;
    torch::print(host);
  }
  for (int i = 0; i < 4; ++i) {
    optimizer.step();
    std::cout << x;
  }
}
