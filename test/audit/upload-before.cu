// A function that queues work on another stream and spins, but that no other
// thread can run: nothing is said of threads (see upload-thread.cu).
// RUN: %check_rules
#include <atomic>

__global__ void step(float *x) { *x += 1; }

static std::atomic<int> ready{0};

static void upload(float *x, float *h, cudaStream_t s) {
  while (!ready.load()) {
  }
  cudaMemcpyAsync(x, h, 64, cudaMemcpyHostToDevice, s);
  cudaStreamSynchronize(s);
}

void run(float *x, float *h, cudaStream_t s, cudaStream_t t, int n) {
  cudaMallocHost(&h, 64);
  upload(x, h, t);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high; no advice: another thread
  }
}
