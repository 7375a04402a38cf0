// A value of a CUDA tensor is brought to the host.
// RUN: %python %S/check_rules.py %autoprof audit --format=json -- %clang_cuda -isystem %S/Inputs -fsyntax-only -- %s
#include <torch/torch.h>

void train(torch::nn::Linear &model, torch::optim::SGD &optimizer, int steps) {
  torch::Device device(torch::kCUDA);
  auto target = torch::zeros({8, 1}, device);
  auto last = torch::rand({1}, torch::TensorOptions().dtype(torch::kFloat).device(device));
  double total = last.item<double>(); // once
  for (int i = 0; i < steps; ++i) {
    auto output = model.forward(torch::rand({8, 4}, torch::device(torch::kCUDA)));
    auto loss = torch::mse_loss(output, target);
    loss.backward();
    optimizer.step();
    total += loss.item<double>(); // expect: autoprof-torch-item high
    if (torch::equal(output, target)) // expect: same
      total = 0;
    if (loss.gt(1.0).is_nonzero()) // expect: autoprof-torch-item high
      total = 1;
    total += loss.detach().cpu().item<double>(); // expect: autoprof-torch-cpu-copy high
    total += (output + target).sum().item<double>(); // expect: autoprof-torch-item
    total += loss.numel() + loss.size(0) + loss.is_cuda() + loss.defined();
  }
}

// Which device it is, is decided when the program runs.
double either(torch::optim::SGD &optimizer, int steps) {
  torch::Device device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  auto x = torch::rand({4}, device);
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    optimizer.step();
    sum += x.sum().item<double>(); // expect: autoprof-torch-item low
  }
  return sum;
}

// Through a function of the user's.
static double read(const torch::Tensor &t) {
  return t.item<double>(); // expect: autoprof-torch-item high
}
double through(torch::optim::SGD &optimizer, int steps) {
  auto x = torch::rand({1}, torch::Device("cuda:0"));
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    optimizer.step();
    sum += read(x);
  }
  return sum;
}

// On the CPU, or nothing is known.
double quiet(const torch::Tensor &given, torch::optim::SGD &optimizer, int steps) {
  auto onCpu = torch::rand({1});
  auto text = torch::rand({1}, torch::Device("cpu"));
  auto moved = torch::rand({1}, torch::kCUDA).to(torch::kCPU);
  auto typed = onCpu.to(torch::kFloat);
  auto zeros = torch::zeros({4}, torch::dtype(torch::kFloat));
  auto kept = torch::zeros({4}, torch::kCUDA);
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    optimizer.step();
    sum += onCpu.item<double>();
    sum += text.item<double>();
    sum += moved.item<double>();
    sum += typed.sum().item<double>();
    sum += (zeros * 2).sum().item<double>();
    sum += given.item<double>();
    sum += torch::equal(onCpu, text);
    sum += kept.size(0);
    kept.fill_(1.0);
    kept = torch::relu(kept + kept);
  }
  for (int i = 0; i < 3; ++i) {
    optimizer.step();
    sum += kept.sum().item<double>();
  }
  return sum;
}
