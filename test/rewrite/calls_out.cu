// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of other translation units: what their declaration tells.
// RUN: %check_rewrite -- -std=c++17
struct Net {
  cudaStream_t stream;
  void forward(int n);
};
void launches(float *x, cudaStream_t s);
float unknown(float x);
void unmarked(int step);

void step(Net &net, float *x) {
  net.forward(1);
  launches(x, net.stream);
}

void train(Net &net, float *x, int steps) {
  for (int i = 0; i < steps; ++i)
    step(net, x);
}

void train_unmarked(int steps) {
  for (int i = 0; i < steps; ++i) {
    unmarked(i);
    for (int j = 0; j < 3; ++j)
      unmarked(j);
  }
}

float math_only(float x) {
  x += unknown(x);
  return x;
}

void loop_on_host(float *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = x[i] * 2 + sqrtf(x[i]);
}

void holds_a_site() { cudaDeviceSynchronize(); }
