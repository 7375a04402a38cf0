// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Thrust policy in a variable: what follows is as for one that is written at
// the call.
// RUN: %check_rules
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/scan.h>
#include <thrust/transform.h>

__global__ void step(float *x) { *x += 1; }
struct Twice {
  __host__ __device__ float operator()(float x) const { return 2 * x; }
};

float variable(thrust::device_vector<float> &x, cudaStream_t s, int n) {
  auto pol = thrust::cuda::par.on(s);
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(nullptr);
    thrust::transform(pol, x.begin(), x.end(), x.begin(), Twice()); // expect: autoprof-thrust-waits
    sum += x[0]; // expect: autoprof-thrust-waits
  }
  return sum;
}

// The stream is not known: there are two, and a policy that is given.
float changes(thrust::device_vector<float> &x, cudaStream_t s, cudaStream_t t,
              int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    cudaStream_t u = i % 2 ? s : t;
    auto pol = thrust::cuda::par.on(u);
    step<<<1, 1, 0, s>>>(nullptr);
    thrust::transform(pol, x.begin(), x.end(), x.begin(), Twice()); // expect: autoprof-thrust-waits
    sum += x[0]; // expect: autoprof-thrust-waits
  }
  return sum;
}
template <typename Policy>
float given(const Policy &p, thrust::device_vector<float> &x, cudaStream_t s,
            int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(nullptr);
    thrust::transform(p, x.begin(), x.end(), x.begin(), Twice()); // expect: autoprof-thrust-waits
    sum += x[0]; // expect: autoprof-thrust-waits
  }
  return sum;
}
float call(thrust::device_vector<float> &x, cudaStream_t s, int n) {
  return given(thrust::cuda::par.on(s), x, s, n);
}

void created(int n) {
  for (int i = 0; i < n; ++i) {
    thrust::device_vector<float> v(64); // expect: autoprof-memory-free-in-destructor medium; autoprof-memory-alloc-in-loop low
    step<<<1, 1>>>(thrust::raw_pointer_cast(v.data()));
  }
}
