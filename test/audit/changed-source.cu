// Where the host changes the source of a copy that only a wait protects.
// RUN: %check_rules
__global__ void step(float *x) { *x += 1; }
void log(const float *h);
void fill(float *h, int i) { h[0] = i; }

static void upload(float *x, const float *h, cudaStream_t up, cudaStream_t work) {
  cudaMemcpyAsync(x, h, 64, cudaMemcpyHostToDevice, up);
  cudaStreamSynchronize(up); // expect: autoprof-sync-in-loop high; advice: keep the order without the host; advice: must still wait
  step<<<1, 1, 0, work>>>(x);
}
void uploads(float *x, int n, cudaStream_t up, cudaStream_t work) {
  float *h;
  cudaStreamCreateWithFlags(&up, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking);
  cudaMallocHost(&h, 64);
  for (int i = 0; i < n; ++i) {
    fill(h, i);
    upload(x, h, up, work);
  }
}

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
    cudaStreamSynchronize(up); // expect: autoprof-sync-in-loop high; no advice: changes its source
    log(h);
    step<<<1, 1, 0, work>>>(x);
  }
}
