// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_rewrite --run --std=c++17 --std=c++20
template <class T> __global__ void fill(T *d, T value) { *d = value; }
template <class T, int N> __global__ void scale(T *d) { *d *= N; }

template <class T> class Buffer {
  T *data = nullptr;

public:
  explicit Buffer(int n) {
    cudaMalloc(&data, n * sizeof(T));
    fill<<<1, 1>>>(data, T(1));
    fill<T><<<1, 1>>>(data, T(2));
  }
  ~Buffer() { cudaFree(data); }
  T get(int i) const {
    T value{};
    cudaMemcpy(&value, data + i, sizeof value, cudaMemcpyDeviceToHost);
    return value;
  }
  template <int N> void scaled() {
    scale<T, N><<<1, 1>>>(data);
    for (int i = 0; i < N; ++i)
      scale<T, N><<<1, 1>>>(data);
  }
};

template <class T> T *allocate(int n) {
  T *p, *host;
  if (cudaMalloc(&p, n * sizeof(T)) || cudaMallocHost(&host, n * sizeof(T)))
    return nullptr;
  cudaMallocManaged(&p, n);
  cudaMemcpyAsync(p, host, n * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}
template <> char *allocate<char>(int n) {
  char *p = nullptr;
  cudaMalloc(&p, n);
  return p;
}

template <class F> auto deduced(F f) {
  cudaDeviceSynchronize();
  return f();
}
template <class... T> void all(T... t) {
  (cudaFree(t), ...);
  if constexpr (sizeof...(T) == 1)
    cudaDeviceSynchronize();
}

using Kernel = void (*)(float *, float);
void through_pointer(Kernel kernel, float *d) {
  kernel<<<1, 1>>>(d, 1.f);
  Kernel table[] = {kernel, fill<float>};
  table[1]<<<1, 1>>>(d, 2.f);
}

template float *allocate<float>(int);

int main() {
  Buffer<double> b(3);
  b.scaled<4>();
  int *first = allocate<int>(4);
  all(first, allocate<char>(4));
  all(allocate<float>(4));
  through_pointer(fill<float>, nullptr);
  return deduced([] { return 0; }) + static_cast<int>(b.get(0));
}
