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

void step(Net &net, float *x) {AP_RANGE(0xdd87d216db845fef)
  net.forward(1);
  launches(x, net.stream);
}

void train(Net &net, float *x, int steps) {AP_RANGE(0x75eb5e2a86008c98)
  for (int i = 0; i < steps; ++i)
    {AP_RANGE(0x2df35a4180fa476a) step(net, x);}
}

void train_unmarked(int steps) {
  for (int i = 0; i < steps; ++i) {AP_RANGE(0xb0250c7688498e77)
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

void holds_a_site() { AP_SITE(0xbf46890ddc224059) cudaDeviceSynchronize(); }
AP_TABLE("0xdd87d216db845fef|function|12|6|calls_out.cu|step|;0x75eb5e2a86008c98|function|17|6|calls_out.cu|train|;0x2df35a4180fa476a|loop|18|3|calls_out.cu|train|;0xb0250c7688498e77|loop|23|3|calls_out.cu|train_unmarked|;0xbf46890ddc224059|sync|40|23|calls_out.cu|holds_a_site|cudaDeviceSynchronize;")
