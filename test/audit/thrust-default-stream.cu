// A Thrust algorithm on the default stream beside work on a stream.
// RUN: %check_rules
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>

__global__ void step(float *x) { *x += 1; }

void mixed(thrust::device_vector<float> &v, float *x) {
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  step<<<1, 1, 0, s>>>(x);
  thrust::sort(v.begin(), v.end()); // expect: autoprof-thrust-default-stream note
  thrust::sort(thrust::device, v.begin(), v.end()); // expect: autoprof-thrust-default-stream
  thrust::sort(thrust::cuda::par_nosync, v.begin(), v.end()); // expect: autoprof-thrust-default-stream
  thrust::sort(thrust::cuda::par.on(s), v.begin(), v.end());
  thrust::sort(thrust::cuda::par_nosync.on(s), v.begin(), v.end());
  auto policy = thrust::cuda::par.on(s);
  thrust::sort(policy, v.begin(), v.end());
  cudaStreamDestroy(s);
}

// No other work on a stream.
void alone(thrust::device_vector<float> &v, float *x) {
  cudaStream_t s;
  cudaStreamCreate(&s);
  step<<<1, 1>>>(x);
  thrust::sort(v.begin(), v.end());
  cudaStreamSynchronize(s);
  cudaStreamDestroy(s);
}

// Host work, and a stream that is not known.
void quiet(thrust::device_vector<float> &v, thrust::host_vector<float> &h, float *x,
           cudaStream_t given) {
  step<<<1, 1, 0, given>>>(x);
  thrust::sort(v.begin(), v.end());
  thrust::sort(h.begin(), h.end());
  cudaStream_t s;
  cudaStreamCreate(&s);
  thrust::sort(thrust::host, h.begin(), h.end());
  cudaStreamDestroy(s);
}
void host(thrust::host_vector<float> &h, float *x) {
  cudaStream_t s;
  cudaStreamCreate(&s);
  step<<<1, 1, 0, s>>>(x);
  thrust::sort(h.begin(), h.end());
  thrust::copy(h.begin(), h.end(), h.begin());
  cudaStreamDestroy(s);
}
void legacy(thrust::device_vector<float> &v, float *x) {
  step<<<1, 1, 0, 0>>>(x);
  thrust::sort(v.begin(), v.end());
  step<<<1, 1, 0, nullptr>>>(x);
}
