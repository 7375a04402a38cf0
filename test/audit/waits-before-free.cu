// A free in the order of the stream needs no wait; what else does, still counts.
// RUN: %check_rules
__global__ void work(float *t, float *d) { *d += *t; }
__global__ void use(float *d) { *d += 1; }

static void upload(float *host, float *d, cudaStream_t s) {
  float *tmp;
  cudaMallocAsync(&tmp, 4096, s);
  cudaMemcpyAsync(tmp, host, 4096, cudaMemcpyHostToDevice, s);
  work<<<1, 1, 0, s>>>(tmp, d);
  cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: remove it
  cudaFreeAsync(tmp, s);
}
void uploads(float *d, cudaStream_t s, int n) {
  float *host;
  cudaMallocHost(&host, 4096);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 1024; ++k)
      host[k] = i + k;
    upload(host, d, s);
  }
}

static void download(float *out, float *d, cudaStream_t s) {
  float *tmp;
  cudaMallocAsync(&tmp, 4096, s);
  work<<<1, 1, 0, s>>>(tmp, d);
  cudaMemcpyAsync(out, tmp, 4096, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: remove it
  cudaFreeAsync(tmp, s);
}
float downloads(float *d, cudaStream_t s, int n) {
  float *host, sum = 0;
  cudaMallocHost(&host, 4096);
  for (int i = 0; i < n; ++i) {
    download(host, d, s);
    sum += host[0];
  }
  return sum;
}

static void produce(float *d, cudaStream_t s) {
  float *tmp;
  cudaMallocAsync(&tmp, 4096, s);
  work<<<1, 1, 0, s>>>(tmp, d);
  cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: remove it
  cudaFreeAsync(tmp, s);
}
void twoStreams(float *d, int n) {
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  for (int i = 0; i < n; ++i) {
    produce(d, a);
    use<<<1, 1, 0, b>>>(d);
  }
}

// The GPU may write to the flag.
void flagged(float *d, volatile float *flag, cudaStream_t s, int n) {
  for (int i = 0; i < n; ++i) {
    float *tmp;
    cudaMallocAsync(&tmp, 4096, s);
    work<<<1, 1, 0, s>>>(tmp, d);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: remove it
    cudaFreeAsync(tmp, s);
    if (flag[i] > 0)
      break;
  }
}
