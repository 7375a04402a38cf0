// Mistakes of people who follow the advice.
// RUN: %check_rules
__global__ void step(float *x) { *x += 1; }
float eventBefore(float *d, int n) {
  cudaStream_t s;
  cudaEvent_t e;
  cudaStreamCreate(&s);
  cudaEventCreate(&e);
  float *h, sum = 0;
  cudaMallocHost(&h, 4);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(d);
    cudaEventRecord(e, s);
    cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s); // expect: autoprof-unsafe-early-read
    cudaEventSynchronize(e); // expect: autoprof-sync-in-loop
    sum += *h;
  }
  return sum;
}
float wrongStream(float *d, int n) {
  cudaStream_t s, t;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  float *h, sum = 0;
  cudaMallocHost(&h, 4);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(d);
    cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s); // expect: autoprof-unsafe-early-read
    step<<<1, 1, 0, t>>>(d + 1);
    cudaStreamSynchronize(t); // expect: autoprof-sync-in-loop
    sum += *h;
  }
  return sum;
}
float ignoredQuery(float *d, int n) {
  cudaStream_t s;
  cudaEvent_t e;
  cudaStreamCreate(&s);
  cudaEventCreate(&e);
  float *h, sum = 0;
  cudaMallocHost(&h, 4);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(d);
    cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s); // expect: autoprof-unsafe-early-read
    cudaEventRecord(e, s);
    cudaEventQuery(e);
    sum += *h;
  }
  return sum;
}
void overwritten(float *d, int n) {
  cudaStream_t s, t;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  float *h;
  cudaMallocHost(&h, 64);
  for (int i = 0; i < n; ++i) {
    cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s); // expect: autoprof-unsafe-buffer-lifetime
    step<<<1, 1, 0, t>>>(d);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop
  }
}
// Right.
float right(float *d, cudaStream_t s, cudaEvent_t e, int n) {
  float *h, sum = 0;
  cudaMallocHost(&h, 4);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(d);
    cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s);
    cudaEventRecord(e, s);
    cudaEventSynchronize(e); // expect: autoprof-sync-in-loop
    sum += *h;
  }
  return sum;
}
