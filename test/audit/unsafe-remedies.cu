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
// A function that is not seen may use the memory.
void readFrame(float *to), writeFrame(const float *from),
    writeFrame(const unsigned char *from);
void unseen(float *d, cudaStream_t s, int n) {
  float *in;
  unsigned char *out;
  cudaMallocHost(&in, 64);
  cudaMallocHost(&out, 64);
  for (int i = 0; i < n; ++i) {
    readFrame(in);
    cudaMemcpyAsync(d, in, 64, cudaMemcpyHostToDevice, s); // expect: autoprof-unsafe-buffer-lifetime; message: [low confidence]
    step<<<1, 1, 0, s>>>(d);
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(d);
    cudaMemcpyAsync(out, d, 64, cudaMemcpyDeviceToHost, s); // expect: autoprof-unsafe-early-read; message: [low confidence]
    writeFrame(out);
  }
}
// It only reads what a copy reads; it waits before, or for both copies.
void unseenRight(float *d, cudaStream_t s, int n) {
  float *in, *out;
  cudaMallocHost(&in, 64);
  cudaMallocHost(&out, 64);
  for (int i = 0; i < n; ++i) {
    cudaMemcpyAsync(d, in, 64, cudaMemcpyHostToDevice, s);
    step<<<1, 1, 0, s>>>(d);
    writeFrame(in);
  }
  for (int i = 0; i < n; ++i) {
    readFrame(in);
    cudaMemcpyAsync(d, in, 64, cudaMemcpyHostToDevice, s);
    step<<<1, 1, 0, s>>>(d);
    cudaMemcpyAsync(out, d, 64, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop
    writeFrame(out);
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
