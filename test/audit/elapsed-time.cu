// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading the time of an event needs the wait for it: otherwise it fails.
// RUN: %check_rules
__global__ void step(float *x) { *x += 1; }
void consume(const float *h);

struct Events {
  cudaEvent_t begin, end, copied;
};

// The next iteration uses the copied data, but the time is read before that.
float pipeline(Events e, float *x, float *h, cudaStream_t s, int n) {
  cudaMallocHost(&h, 64);
  float ms = 0, sum = 0;
  for (int i = 0; i < n; ++i) {
    if (i > 0)
      sum += h[0];
    cudaEventRecord(e.begin, s);
    step<<<1, 1, 0, s>>>(x);
    cudaMemcpyAsync(h, x, 64, cudaMemcpyDeviceToHost, s);
    cudaEventRecord(e.end, s);
    cudaEventSynchronize(e.end); // expect: autoprof-sync-in-loop
    step<<<1, 1, 0, s>>>(x);
    cudaEventElapsedTime(&ms, e.begin, e.end);
    sum += ms;
  }
  return sum;
}

// A wait for the stream of the event.
float stream(Events e, float *x, float *h, cudaStream_t s, int n) {
  cudaMallocHost(&h, 64);
  float ms = 0, sum = 0;
  for (int i = 0; i < n; ++i) {
    if (i > 0)
      sum += h[0];
    cudaEventRecord(e.begin, s);
    step<<<1, 1, 0, s>>>(x);
    cudaMemcpyAsync(h, x, 64, cudaMemcpyDeviceToHost, s);
    cudaEventRecord(e.end, s);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
    step<<<1, 1, 0, s>>>(x);
    cudaEventElapsedTime(&ms, e.begin, e.end);
    sum += ms;
  }
  return sum;
}

// Times of other events, and of events that another wait completes.
float others(Events e, Events f, float *x, float *h, cudaStream_t s, int n) {
  cudaMallocHost(&h, 64);
  float ms = 0, sum = 0;
  for (int i = 0; i < n; ++i) {
    if (i > 0)
      sum += h[0];
    step<<<1, 1, 0, s>>>(x);
    cudaMemcpyAsync(h, x, 64, cudaMemcpyDeviceToHost, s);
    cudaEventRecord(e.end, s);
    cudaEventSynchronize(e.end); // expect: autoprof-sync-in-loop; advice: wait for an event; no advice: NotReady
    step<<<1, 1, 0, s>>>(x);
    cudaEventElapsedTime(&ms, f.begin, f.end);
    sum += ms;
  }
  return sum;
}
