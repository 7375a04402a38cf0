// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust, CUB and libcu++: algorithms that run on the GPU, elements of device
// vectors, and vectors that are made and destroyed where no call is written.
// Without a GPU they throw: probes end all the same.
// RUN: %check_rewrite --run --clang-flag=--cuda-host-only --std=c++17
#include <cub/device/device_reduce.cuh>
#include <cuda/stream_ref>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <cstdio>
#include <iostream>
#include <vector>

struct Negate {
  __host__ __device__ float operator()(float x) const { return -x; }
};

float algorithms(thrust::device_vector<float> &v, float *raw, int n) {
  thrust::fill(v.begin(), v.end(), 1.f);
  thrust::fill(thrust::device, raw, raw + n, 1.f);
  thrust::transform(thrust::cuda::par_nosync.on(cudaStreamPerThread), v.begin(), v.end(), v.begin(), Negate());
  using namespace thrust;
  return reduce(v.begin(), v.end()) + thrust::transform_reduce(v.begin(), v.end(), Negate(), 0.f, thrust::plus<float>());
}

float on_the_host(int n) {
  thrust::host_vector<float> h(4, 2.f);
  std::vector<float> s(4, 3.f);
  float raw[2] = {5, 4};
  thrust::sort(h.begin(), h.end());
  thrust::sort(thrust::host, raw, raw + 2);
  thrust::transform(s.begin(), s.end(), s.begin(), Negate());
  thrust::copy(s.begin(), s.end(), h.begin());
  return h[0] + raw[0] + thrust::reduce(s.begin(), s.end()) + n;
}

float elements(thrust::device_vector<float> &v, const thrust::device_vector<float> &c) {
  float x = v[0];
  v[1] = x;
  v[2] += c[0];
  std::cout << v[0] << v[1] << "\n";
  if (v.front() > 2 && v.back() < *v.begin())
    x = v[2];
  auto reference = v[3];
  x += reference;
  auto pointer = &v[0];
  float list[] = {v[0], c[1]};
  return x + list[0] + (pointer == &v[0]);
}

template <class T> T dependent(thrust::device_vector<T> &v, int n) {
  thrust::device_vector<T> copy(v), filled{T(1), T(2)}, empty;
  empty.resize(n);
  thrust::fill(copy.begin(), copy.end(), T(2));
  return thrust::reduce(copy.begin(), copy.end());
}

thrust::device_vector<float> made(int n) {
  thrust::device_vector<float> v(n, 1.f);
  return v;
}
void takes(thrust::device_vector<float>) {}

struct Layer {
  thrust::device_vector<float> weights, bias = thrust::device_vector<float>(3), other{4};
  explicit Layer(int n) : weights(n) {}
  Layer(const thrust::device_vector<float> &from, int) : weights(from), bias{1, 2} {}
  Layer(const float *begin, const float *end) : weights(begin, end) {}
};

int objects(int n) {
  thrust::device_vector<float> v(n), moved(std::move(v)), from_call = made(n);
  thrust::host_vector<float> h = v;
  v = h;
  takes(v);
  takes(std::move(v));
  takes(thrust::device_vector<float>(n));
  switch (n) {
  case 1: {
    Layer layer(n);
    break;
  }
  default:
    auto *p = new thrust::device_vector<float>(n);
    delete p;
  }
  for (thrust::device_vector<float> w(n); n > 0; --n)
    w.push_back(1);
  static thrust::device_vector<float> forever(4);
  return int(v.size());
}

void launches(float *in, float *out, void *memory, size_t bytes, cudaStream_t stream) {
  cub::DeviceReduce::Sum(memory, bytes, in, out, 4, stream);
  cuda::stream_ref ref(stream);
  ref.wait();
  (void)ref.ready();
}

template <class F> void try_to(const char *what, F f) {
  try {
    f();
    std::printf("%s: done\n", what);
  } catch (const std::exception &) {
    std::printf("%s: no device\n", what);
  }
}

int main() {
  thrust::device_vector<float> v;
  try_to("algorithms", [&] { algorithms(v, nullptr, 1); });
  try_to("elements", [&] { elements(v, v); });
  try_to("dependent", [&] { dependent(v, 3); });
  try_to("objects", [&] { objects(1); });
  try_to("layers", [&] { Layer layer(v, 1); });
  try_to("launches", [&] { launches(nullptr, nullptr, nullptr, 0, nullptr); });
  std::printf("%g\n", on_the_host(1));
}
