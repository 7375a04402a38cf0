// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_rewrite --nvcc-flag=--extended-lambda -- -std=c++17
__global__ void k(int *d) { for (int i = 0; i < 3; ++i) d[i] = i; }
__device__ int device_only(int *d) { for (int i = 0; i < 3; ++i) d[i] = i; return d[0]; }

void no_gpu(int n) {
  for (int i = 0; i < n; ++i)
    n += i;
  n++;
}

void tiny(int *d) { k<<<1, 1>>>(d); }
void one_loop(int *d) { for (int i = 0; i < 3; ++i) tiny(d); }
void later(int *d, int n);

namespace outer {
namespace {
void transitive(int *d) {
  no_gpu(1);
  tiny(d);
}
} // namespace
struct Class {
  int *data = nullptr;
  Class() {
    cudaMalloc(&data, 4);
    no_gpu(1);
  }
  ~Class() {
    no_gpu(2);
    cudaFree(data);
  }
  void method(int *d) const &;
  void operator()(int *d) {
    transitive(d);
    no_gpu(3);
  }
};
void Class::method(int *d) const & {
  transitive(d);
  no_gpu(4);
}
} // namespace outer

void overload(int *d) { no_gpu(1); tiny(d); }
void overload(int *d, long) { no_gpu(1); tiny(d); }

void recursive(int *d, int n) {
  if (n > 0)
    recursive(d, n - 1);
  else
    tiny(d);
}

void body_is_try(int *d) try {
  no_gpu(1);
  tiny(d);
} catch (...) {
  tiny(d);
}

constexpr int constant(int n) {
  if (n < 0)
    cudaDeviceSynchronize();
  return n;
}
__host__ __device__ void both(int *d) {
#ifndef __CUDA_ARCH__
  cudaDeviceSynchronize();
#endif
  d[0] = 1;
}

void lambdas(int *d) {
  auto host = [&](int n) {
    for (int i = 0; i < n; ++i)
      k<<<1, 1>>>(d);
  };
  auto device = [=] __device__(int n) { return d[n]; };
  struct Local {
    void run(int *d) {
      no_gpu(1);
      cudaDeviceSynchronize();
    }
  };
  host(3);
  (void)device;
  Local().run(d);
}

void uses_later(int *d) {
  no_gpu(1);
  later(d, 3);
}
void later(int *d, int n) {
  outer::Class c;
  c.method(d);
}

void jumps(int *d, int n) {
  while (n > 100) {
    tiny(d);
  inside:
    n--;
  }
  if (n > 7)
    goto inside;
  switch (n & 1) {
    do {
      tiny(d);
    case 0:
      tiny(d);
    } while (--n > 0);
  }
  for (int i = 0; i < n; ++i) {
    switch (i) {
    case 1:
      tiny(d);
    }
  }
}

void computed_goto(int *d, int n) {
  void *where[] = {&&first, &&second};
  goto *where[n];
first:
  tiny(d);
second:
  cudaDeviceSynchronize();
}

int main() {
  return cudaDeviceSynchronize();
}
