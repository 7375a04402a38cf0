// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that reads and writes other data in each iteration, and measures that,
// is no benchmark.
// RUN: %check_rules
__global__ void step(float *x) { *x += 1; }
bool readFrame(float *to, int frame);
void report(int run, float ms);

float frames(float *x, float *h, cudaEvent_t t0, cudaEvent_t t1, cudaStream_t s,
             int n) {
  cudaMallocHost(&h, 64);
  float ms, sum = 0;
  for (int i = 0; i < n; ++i) {
    if (!readFrame(h, i))
      break;
    cudaMemcpy(x, h, 64, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous high; message: in each iteration
    cudaEventRecord(t0, s);
    step<<<1, 1, 0, s>>>(x);
    cudaEventRecord(t1, s);
    cudaEventSynchronize(t1); // expect: autoprof-sync-for-timing low
    cudaEventElapsedTime(&ms, t0, t1);
    sum += ms;
  }
  return sum;
}

// The same data each time; what gets the counter gets no data.
void benchmark(float *x, float *h, cudaEvent_t t0, cudaEvent_t t1,
               cudaStream_t s, int n) {
  cudaMallocHost(&h, 64);
  float ms;
  for (int i = 0; i < n; ++i) {
    readFrame(h, 0);
    cudaMemcpy(x, h, 64, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous high
    cudaEventRecord(t0, s);
    step<<<1, 1, 0, s>>>(x);
    cudaEventRecord(t1, s);
    cudaEventSynchronize(t1); // expect: autoprof-sync-for-timing low
    cudaEventElapsedTime(&ms, t0, t1);
    report(i, ms);
  }
}
