// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_rewrite --run --std=c++17
__global__ void k(int *d, int n) {}

void unbraced(int *d, int n, cudaStream_t s) {
  if (n > 0)
    k<<<1, 1>>>(d, n);
  else
    cudaMemsetAsync(d, 0, 4, s); // trailing comment
  for (int i = 0; i < n; ++i)
    k<<<1, 1, 0, s>>>(d, i);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      k<<<1, 1>>>(d, j);
  while (n-- > 0)
    if (n & 1)
      cudaStreamSynchronize(s);
    else {
      cudaDeviceSynchronize();
    }
  do
    cudaFree(d);
  while (n-- > 0);
  for (int i = 0; i < n; ++i)
    ; // nothing to see
}

void init_and_increment(int *d, int n) {
  for (cudaMalloc(&d, 4); n > 0; k<<<1, 1>>>(d, n)) {
    n--;
  }
}

void labels(int *d, int n) {
  switch (n) {
  case 0: cudaMemset(d, 0, 4); break;
  case 1:
  case 2: k<<<1, 1>>>(d, 2); break;
  default: k<<<dim3(1, 2), dim3(3)>>>(d, 3);
  }
again:
  k<<<1, 1>>>(d, 4);
  if (n-- > 0)
    goto again;
}

void blocks(int *d, int n) {
  { k<<<1, 1>>>(d, 1); }
  try {
    k<<<1, 1>>>(d, 2);
  } catch (int) {
    cudaDeviceSynchronize();
  }
  k <<<1, 1>>>(d, 3); k<<<1, 1>>>
      (d, 4);
  /* before */ cudaDeviceSynchronize /* between */ (); /* behind */
}

int main() {
  int *d = nullptr;
  unbraced(d, 3, nullptr);
  unbraced(d, 0, nullptr);
  init_and_increment(d, 2);
  for (int n = 0; n < 4; ++n)
    labels(d, n);
  blocks(d, 1);
}
