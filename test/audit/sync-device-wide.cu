// A device-wide wait where all work is on one stream.
// RUN: %check_rules
#include <cstdio>

__global__ void step(float *x) { *x += 1; }

void one(float *x, float *pinned) {
  cudaStream_t s;
  cudaStreamCreate(&s);
  step<<<1, 1, 0, s>>>(x);
  cudaMemcpyAsync(pinned, x, 4, cudaMemcpyDeviceToHost, s);
  cudaDeviceSynchronize(); // expect: autoprof-sync-device-wide note; message: all work before it in this function is on stream 's'
  std::printf("%f\n", *pinned);
  step<<<1, 1>>>(x); // the default stream, but after the wait
  cudaDeviceSynchronize();
  for (int i = 0; i < 100; ++i)
    step<<<1, 1, 0, s>>>(x);
  cudaDeviceSynchronize(); // expect: autoprof-sync-device-wide note
}

struct Worker {
  cudaStream_t Stream;
  Worker() { cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking); }
  void run(float *x) {
    step<<<1, 1, 0, Stream>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-device-wide note
  }
};

// The default stream, several streams, or none.
void others(float *x) {
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  step<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  step<<<1, 1, 0, a>>>(x);
  step<<<1, 1, 0, b>>>(x);
  cudaDeviceSynchronize();
  step<<<1, 1, 0, a>>>(x);
  cudaMemset(x, 0, 4);
  cudaDeviceSynchronize();
}
void nothing() { cudaDeviceSynchronize(); }

// Which stream is not known.
void given(float *x, cudaStream_t s) {
  step<<<1, 1, 0, s>>>(x);
  cudaDeviceSynchronize();
}
void several(float *x, int n) {
  cudaStream_t s[8];
  for (int i = 0; i < 8; ++i)
    cudaStreamCreate(&s[i]);
  for (int i = 0; i < n; ++i)
    step<<<1, 1, 0, s[i % 8]>>>(x);
  cudaDeviceSynchronize();
}
void external(float *);
void unknown(float *x) {
  cudaStream_t s;
  cudaStreamCreate(&s);
  step<<<1, 1, 0, s>>>(x);
  external(x);
  cudaDeviceSynchronize();
}

// In loops, other rules hold.
void loop(float *x, int n) {
  cudaStream_t s;
  cudaStreamCreate(&s);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
  }
}
