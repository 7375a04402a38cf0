// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_rewrite --nvcc-flag=--extended-lambda -- -std=c++17
__global__ void k(int *d) { for (int i = 0; i < 3; ++i) d[i] = i; }
__device__ int device_only(int *d) { for (int i = 0; i < 3; ++i) d[i] = i; return d[0]; }

void no_gpu(int n) {
  for (int i = 0; i < n; ++i)
    n += i;
  n++;
}

void tiny(int *d) { AP_SITE(0x3543f5b6e1a64435) k<<<1, 1>>>(d); }
void one_loop(int *d) {AP_RANGE(0x908f8a706fa11517) for (int i = 0; i < 3; ++i) {AP_RANGE(0x1902ca4521218fad) tiny(d);} }
void later(int *d, int n);

namespace outer {
namespace {
void transitive(int *d) {AP_RANGE(0x32238a42f170a0eb)
  no_gpu(1);
  tiny(d);
}
} // namespace
struct Class {
  int *data = nullptr;
  Class() {AP_RANGE(0xd2e010777bd3ebae)
    AP_SITE(0x94723fd710c7151b) cudaMalloc(&data, 4);
    no_gpu(1);
  }
  ~Class() {AP_RANGE(0x8c7aa3b535cb2032)
    no_gpu(2);
    AP_SITE(0x67d8ebf578fea5c5) cudaFree(data);
  }
  void method(int *d) const &;
  void operator()(int *d) {AP_RANGE(0x902e9a8a9ced0ec6)
    transitive(d);
    no_gpu(3);
  }
};
void Class::method(int *d) const & {AP_RANGE(0x15431b2c47bba3ad)
  transitive(d);
  no_gpu(4);
}
} // namespace outer

void overload(int *d) {AP_RANGE(0x4b5d4aa601e9996e) no_gpu(1); tiny(d); }
void overload(int *d, long) {AP_RANGE(0xc3ea44b38a8cf438) no_gpu(1); tiny(d); }

void recursive(int *d, int n) {AP_RANGE(0x9746f2229c0c2bd3)
  if (n > 0)
    recursive(d, n - 1);
  else
    tiny(d);
}

void body_is_try(int *d) try {AP_RANGE(0x6ef9a1b1e787557b)
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

void lambdas(int *d) {AP_RANGE(0x394bc85d08df21ac)
  auto host = [&](int n) {
    for (int i = 0; i < n; ++i)
      {AP_RANGE(0xe2627d24f02040d6) AP_SITE(0x56f4cdcfce6d2607) k<<<1, 1>>>(d);}
  };
  auto device = [=] __device__(int n) { return d[n]; };
  struct Local {
    void run(int *d) {AP_RANGE(0xaef352d9e2e381da)
      no_gpu(1);
      AP_SITE(0x6fa33d27fba0282d) cudaDeviceSynchronize();
    }
  };
  host(3);
  (void)device;
  Local().run(d);
}

void uses_later(int *d) {AP_RANGE(0x1f410a6cee638f51)
  no_gpu(1);
  later(d, 3);
}
void later(int *d, int n) {AP_RANGE(0x73442698030b3029)
  outer::Class c;
  c.method(d);
}

void jumps(int *d, int n) {AP_RANGE(0xc9a43436820a2994)
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
  for (int i = 0; i < n; ++i) {AP_RANGE(0x892e1b5631e711e8)
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
  AP_SITE(0x641f99f5b71b027d) cudaDeviceSynchronize();
}

int main() {AP_RANGE(0x7d1339bbbb7ba7d8)
  return AP_SITE(0x7e945c604f82033f) cudaDeviceSynchronize();
}
AP_TABLE("0x3543f5b6e1a64435|launch|12|21|functions.cu|tiny|k;0x908f8a706fa11517|function|13|6|functions.cu|one_loop|;0x1902ca4521218fad|loop|13|25|functions.cu|one_loop|;0x32238a42f170a0eb|function|18|6|functions.cu|outer::transitive|;0xd2e010777bd3ebae|function|25|3|functions.cu|outer::Class::Class|;0x94723fd710c7151b|alloc|26|5|functions.cu|outer::Class::Class|cudaMalloc;0x8c7aa3b535cb2032|function|29|3|functions.cu|outer::Class::~Class|;0x67d8ebf578fea5c5|free|31|5|functions.cu|outer::Class::~Class|cudaFree;0x902e9a8a9ced0ec6|function|34|8|functions.cu|outer::Class::operator()|;0x15431b2c47bba3ad|function|39|13|functions.cu|outer::Class::method|;0x4b5d4aa601e9996e|function|45|6|functions.cu|overload|;0xc3ea44b38a8cf438|function|46|6|functions.cu|overload|;0x9746f2229c0c2bd3|function|48|6|functions.cu|recursive|;0x6ef9a1b1e787557b|function|55|6|functions.cu|body_is_try|;0x394bc85d08df21ac|function|74|6|functions.cu|lambdas|;0xe2627d24f02040d6|loop|76|5|functions.cu|lambdas|;0x56f4cdcfce6d2607|launch|77|7|functions.cu|lambdas|k;0xaef352d9e2e381da|function|81|10|functions.cu|lambdas(int *)::Local::run|;0x6fa33d27fba0282d|sync|83|7|functions.cu|lambdas(int *)::Local::run|cudaDeviceSynchronize;0x1f410a6cee638f51|function|91|6|functions.cu|uses_later|;0x73442698030b3029|function|95|6|functions.cu|later|;0xc9a43436820a2994|function|100|6|functions.cu|jumps|;0x892e1b5631e711e8|loop|115|3|functions.cu|jumps|;0x641f99f5b71b027d|sync|129|3|functions.cu|computed_goto|cudaDeviceSynchronize;0x7d1339bbbb7ba7d8|function|132|5|functions.cu|main|;0x7e945c604f82033f|sync|133|10|functions.cu|main|cudaDeviceSynchronize;")
