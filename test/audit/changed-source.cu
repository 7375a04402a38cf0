// Where the host may change the source of a copy that only a wait protects.
// RUN: %check_rules
__global__ void step(float *x) { *x += 1; }
void log(const float *h);

// A pointer to const changes nothing.
void logs(float *x, int n) {
  cudaStream_t up, work;
  float *h;
  cudaStreamCreateWithFlags(&up, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking);
  cudaMallocHost(&h, 64);
  h[0] = 1;
  for (int i = 0; i < n; ++i) {
    cudaMemcpyAsync(x, h, 64, cudaMemcpyHostToDevice, up);
    cudaStreamSynchronize(up); // expect: autoprof-sync-in-loop medium; advice: keep the wait, or order the streams; no advice: changes its source
    log(h);
    step<<<1, 1, 0, work>>>(x);
  }
}
