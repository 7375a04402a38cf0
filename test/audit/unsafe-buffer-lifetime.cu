// Pinned memory is changed or given up before a wait for the copy that uses it.
// RUN: %check_rules
#include <algorithm>
#include <cstdlib>
#include <cstring>

__global__ void step(float *x) { *x += 1; }

void changed(float *d, cudaStream_t s) {
  float *h;
  cudaMallocHost(&h, 64);
  h[0] = 1;
  cudaMemcpyAsync(d, h, 64, cudaMemcpyHostToDevice, s); // expect: autoprof-unsafe-buffer-lifetime medium
  h[0] = 2;
  cudaStreamSynchronize(s);
}

// Changed in the next iteration.
void nextBatch(float *d, const float *data, cudaStream_t s, int n) {
  float *h;
  cudaMallocHost(&h, 64);
  for (int i = 0; i < n; ++i) {
    std::memcpy(h, data + i, 64);
    cudaMemcpyAsync(d, h, 64, cudaMemcpyHostToDevice, s); // expect: autoprof-unsafe-buffer-lifetime medium
    step<<<1, 1, 0, s>>>(d);
  }
}

// Registered memory ends.
void freed(float *d, cudaStream_t s) {
  auto *h = (float *)malloc(64);
  cudaHostRegister(h, 64, cudaHostRegisterDefault);
  cudaMemcpyAsync(d, h, 64, cudaMemcpyHostToDevice, s); // expect: autoprof-unsafe-buffer-lifetime
  free(h);
}

// Waited for before.
void waited(float *d, const float *data, cudaStream_t s, cudaEvent_t e, int n) {
  float *h;
  cudaMallocHost(&h, 64);
  for (int i = 0; i < n; ++i) {
    std::memcpy(h, data + i, 64);
    cudaMemcpyAsync(d, h, 64, cudaMemcpyHostToDevice, s);
    step<<<1, 1, 0, s>>>(d);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop
  }
  for (int i = 0; i < n; ++i) {
    cudaEventSynchronize(e); // of the iteration before
    std::fill(h, h + 16, data[i]);
    cudaMemcpyAsync(d, h, 64, cudaMemcpyHostToDevice, s);
    cudaEventRecord(e, s);
  }
  cudaMemcpyAsync(d, h, 64, cudaMemcpyHostToDevice, s);
  cudaFreeHost(h); // waits
}

// The memory is not changed, or another one is.
void unchanged(float *d, const float *data, cudaStream_t s, int n) {
  float *h, *other;
  cudaMallocHost(&h, 64);
  cudaMallocHost(&other, 64);
  h[0] = data[0];
  for (int i = 0; i < n; ++i) {
    cudaMemcpyAsync(d, h, 64, cudaMemcpyHostToDevice, s);
    other[0] = h[0];
    step<<<1, 1, 0, s>>>(d);
  }
  cudaStreamSynchronize(s);
}
void buffers(float *d, const float *data, cudaStream_t s, int n) {
  float *h[2], *a, *b;
  cudaMallocHost(&h[0], 64);
  cudaMallocHost(&h[1], 64);
  cudaMallocHost(&a, 64);
  cudaMallocHost(&b, 64);
  for (int i = 0; i < n; ++i) {
    float *one = h[i % 2];
    one[0] = data[i];
    cudaMemcpyAsync(d, one, 64, cudaMemcpyHostToDevice, s);
    step<<<1, 1, 0, s>>>(d);
  }
  for (int i = 0; i < n; ++i) {
    a[0] = data[i];
    cudaMemcpyAsync(d, a, 64, cudaMemcpyHostToDevice, s);
    step<<<1, 1, 0, s>>>(d);
    std::swap(a, b);
  }
}

// Pageable memory is staged when the call returns; what is given is not known.
void others(float *d, float *given, cudaStream_t s) {
  float small[4] = {1};
  cudaMemcpyAsync(d, small, 16, cudaMemcpyHostToDevice, s);
  small[0] = 2;
  cudaMemcpyAsync(d, given, 16, cudaMemcpyHostToDevice, s);
  given[0] = 2;
  auto *plain = (float *)malloc(16);
  cudaMemcpyAsync(d, plain, 16, cudaMemcpyHostToDevice, s);
  free(plain);
}
