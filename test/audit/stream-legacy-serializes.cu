// Work on the legacy default stream between work of several named streams.
// RUN: %check_rules
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

__global__ void step(float *x) { *x += 1; }

void named(float *x, float *h) {
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  step<<<1, 1, 0, a>>>(x);
  step<<<1, 1, 0, b>>>(x + 1);
  step<<<1, 1>>>(x + 2); // expect: autoprof-stream-legacy-serializes note
  step<<<1, 1, 0, a>>>(x);
  step<<<1, 1, 0, b>>>(x);
  cudaMemset(x, 0, 4); // expect: autoprof-stream-legacy-serializes note
  step<<<1, 1, 0, b>>>(x);
  cudaStreamSynchronize(a);
  cudaStreamSynchronize(b);
}

void array(float *x, int n) {
  cudaStream_t s[8];
  for (int i = 0; i < 8; ++i)
    cudaStreamCreate(&s[i]);
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < 8; ++i)
      step<<<1, 1, 0, s[i]>>>(x + i);
    step<<<1, 1>>>(x); // expect: autoprof-stream-legacy-serializes medium
  }
}

// Nothing follows on them; one stream only; all is waited for before.
void join(float *x) {
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  step<<<1, 1, 0, a>>>(x);
  step<<<1, 1, 0, b>>>(x);
  step<<<1, 1>>>(x); // a join
}
void one(float *x) {
  cudaStream_t a;
  cudaStreamCreate(&a);
  step<<<1, 1, 0, a>>>(x);
  step<<<1, 1>>>(x);
  step<<<1, 1, 0, a>>>(x);
}
void waited(float *x, cudaEvent_t e) {
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  step<<<1, 1, 0, a>>>(x);
  step<<<1, 1, 0, b>>>(x);
  cudaDeviceSynchronize();
  step<<<1, 1>>>(x);
  step<<<1, 1, 0, a>>>(x);
  step<<<1, 1, 0, b>>>(x);
  cudaStreamSynchronize(a);
  cudaStreamSynchronize(b);
  step<<<1, 1>>>(x);
  step<<<1, 1, 0, a>>>(x);
  step<<<1, 1, 0, b>>>(x);
  cudaEventRecord(e); // no work
  step<<<1, 1, 0, a>>>(x);
}

// Vectors: their elements' addresses, those of the host.
void vectors(float *x, thrust::device_vector<float> &v,
             thrust::host_vector<float> &h, thrust::host_vector<float> &g) {
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  step<<<1, 1, 0, a>>>(x);
  step<<<1, 1, 0, b>>>(x);
  step<<<1, 1, 0, a>>>(thrust::raw_pointer_cast(&v[0]));
  h = g;
  step<<<1, 1, 0, b>>>(x);
}

// Non-blocking streams, and those that are not known.
void independent(float *x, cudaStream_t given, cudaStream_t other) {
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  step<<<1, 1, 0, a>>>(x);
  step<<<1, 1, 0, b>>>(x);
  step<<<1, 1>>>(x);
  step<<<1, 1, 0, a>>>(x);
  step<<<1, 1, 0, given>>>(x);
  step<<<1, 1, 0, other>>>(x);
  step<<<1, 1>>>(x);
  step<<<1, 1, 0, given>>>(x);
}
void own(float *x) {
  cudaStream_t a, b, c;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cudaStreamCreate(&c);
  step<<<1, 1, 0, a>>>(x);
  step<<<1, 1, 0, b>>>(x);
  step<<<1, 1, 0, c>>>(x);
  step<<<1, 1, 0, cudaStreamPerThread>>>(x);
  step<<<1, 1, 0, a>>>(x);
}

// Work that shares memory with that of a stream must stay in its order.
void shares(float *d, float *e, float *z, int n) {
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, a>>>(d);
    step<<<1, 1, 0, b>>>(e);
    cudaMemset(d, 0, 4); // expect: autoprof-stream-legacy-serializes medium; advice: use cudaMemsetAsync on stream 'a', whose work uses the same memory; no advice: separate stream
    step<<<1, 1, 0, a>>>(d);
    step<<<1, 1, 0, b>>>(e);
    cudaMemset(z, 0, 4); // expect: autoprof-stream-legacy-serializes medium; advice: on a separate stream, created with cudaStreamNonBlocking, and order it
    step<<<1, 1, 0, a>>>(d);
    step<<<1, 1, 0, b>>>(e);
  }
}
