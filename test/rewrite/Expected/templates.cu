// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_rewrite --run --std=c++17 --std=c++20
template <class T> __global__ void fill(T *d, T value) { *d = value; }
template <class T, int N> __global__ void scale(T *d) { *d *= N; }

template <class T> class Buffer {
  T *data = nullptr;

public:
  explicit Buffer(int n) {AP_RANGE(0xb0c16cb0046f25a6)
    AP_SITE(0xaabf23a65cc50e33) cudaMalloc(&data, n * sizeof(T));
    AP_SITE(0x96f05eabae841239) fill<<<1, 1>>>(data, T(1));
    AP_SITE(0x96f05dabae841086) fill<T><<<1, 1>>>(data, T(2));
  }
  ~Buffer() { AP_SITE(0xe1f515698e53018a) cudaFree(data); }
  T get(int i) const {AP_RANGE(0x1928171d188c5a83)
    T value{};
    AP_SITE(0x68cf7c130abcb0f7) cudaMemcpy(&value, data + i, sizeof value, cudaMemcpyDeviceToHost);
    return value;
  }
  template <int N> void scaled() {AP_RANGE(0xa86cbe6ae9f02b0d)
    AP_SITE(0x6f25f457aac67c7b) scale<T, N><<<1, 1>>>(data);
    for (int i = 0; i < N; ++i)
      {AP_RANGE(0x792a78dad2dc9cb7) AP_SITE(0x6f25f357aac67ac8) scale<T, N><<<1, 1>>>(data);}
  }
};

template <class T> T *allocate(int n) {AP_RANGE(0x70a491a8249c9e8b)
  T *p, *host;
  if ((AP_SITE(0xbc1f72860fd8f196) cudaMalloc(&p, n * sizeof(T))) || (AP_SITE(0xa23ea88b33699e30) cudaMallocHost(&host, n * sizeof(T))))
    return nullptr;
  AP_SITE(0x2f3f493f5be2f83b) cudaMallocManaged(&p, n);
  AP_SITE(0x874a72a29bc488c1) cudaMemcpyAsync(p, host, n * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}
template <> char *allocate<char>(int n) {AP_RANGE(0x70a490a8249c9cd8)
  char *p = nullptr;
  AP_SITE(0xbc1f73860fd8f349) cudaMalloc(&p, n);
  return p;
}

template <class F> auto deduced(F f) {AP_RANGE(0x35b62f18878faa7f)
  AP_SITE(0xca76705021a7029e) cudaDeviceSynchronize();
  return f();
}
template <class... T> void all(T... t) {AP_RANGE(0xd15da6d10209d55a)
  ((AP_SITE(0x28096fc5f76a6e8d) cudaFree(t)), ...);
  if constexpr (sizeof...(T) == 1)
    AP_SITE(0xffadffdb66ccbead) cudaDeviceSynchronize();
}

using Kernel = void (*)(float *, float);
void through_pointer(Kernel kernel, float *d) {AP_RANGE(0xf15d26ce0a9adf7d)
  AP_SITE(0x87ee020132228fe2) kernel<<<1, 1>>>(d, 1.f);
  Kernel table[] = {kernel, fill<float>};
  AP_SITE(0x324a0c40a18de967) table[1]<<<1, 1>>>(d, 2.f);
}

template float *allocate<float>(int);

int main() {AP_RANGE(0x36626af2734a86b2)
  Buffer<double> b(3);
  b.scaled<4>();
  int *first = allocate<int>(4);
  all(first, allocate<char>(4));
  all(allocate<float>(4));
  through_pointer(fill<float>, nullptr);
  return deduced([] { return 0; }) + static_cast<int>(b.get(0));
}
AP_TABLE("0xb0c16cb0046f25a6|function|10|12|templates.cu|Buffer::Buffer<T>|;0xaabf23a65cc50e33|alloc|11|5|templates.cu|Buffer::Buffer<T>|cudaMalloc;0x96f05eabae841239|launch|12|5|templates.cu|Buffer::Buffer<T>|fill;0x96f05dabae841086|launch|13|5|templates.cu|Buffer::Buffer<T>|fill;0xe1f515698e53018a|free|15|15|templates.cu|Buffer::~Buffer<T>|cudaFree;0x1928171d188c5a83|function|16|5|templates.cu|Buffer::get|;0x68cf7c130abcb0f7|copy|18|5|templates.cu|Buffer::get|cudaMemcpy;0xa86cbe6ae9f02b0d|function|21|25|templates.cu|Buffer::scaled|;0x6f25f457aac67c7b|launch|22|5|templates.cu|Buffer::scaled|scale;0x792a78dad2dc9cb7|loop|23|5|templates.cu|Buffer::scaled|;0x6f25f357aac67ac8|launch|24|7|templates.cu|Buffer::scaled|scale;0x70a491a8249c9e8b|function|28|23|templates.cu|allocate|;0xbc1f72860fd8f196|alloc|30|7|templates.cu|allocate|cudaMalloc;0xa23ea88b33699e30|alloc|30|40|templates.cu|allocate|cudaMallocHost;0x2f3f493f5be2f83b|alloc|32|3|templates.cu|allocate|cudaMallocManaged;0x874a72a29bc488c1|copy|33|3|templates.cu|allocate|cudaMemcpyAsync;0x70a490a8249c9cd8|function|36|19|templates.cu|allocate|;0xbc1f73860fd8f349|alloc|38|3|templates.cu|allocate|cudaMalloc;0x35b62f18878faa7f|function|42|25|templates.cu|deduced|;0xca76705021a7029e|sync|43|3|templates.cu|deduced|cudaDeviceSynchronize;0xd15da6d10209d55a|function|46|28|templates.cu|all|;0x28096fc5f76a6e8d|free|47|4|templates.cu|all|cudaFree;0xffadffdb66ccbead|sync|49|5|templates.cu|all|cudaDeviceSynchronize;0xf15d26ce0a9adf7d|function|53|6|templates.cu|through_pointer|;0x87ee020132228fe2|launch|54|3|templates.cu|through_pointer|kernel;0x324a0c40a18de967|launch|56|3|templates.cu|through_pointer|(kernel);0x36626af2734a86b2|function|61|5|templates.cu|main|;")
