// An array is copied piece by piece in a loop that does not launch.
// RUN: %check_rules
#include <vector>

__global__ void step(float *x) { *x += 1; }

void rows(float *d, const float *h, int n, size_t pitch, size_t width) {
  for (int i = 0; i < n; ++i)
    cudaMemcpy(d + i * 64, h + i * 64, 256, cudaMemcpyHostToDevice); // expect: autoprof-copy-small-scattered low
  for (int i = 0; i < n; ++i) {
    float *to = d + i * pitch;
    const float *from = &h[i * width];
    cudaMemcpy(to, from, 4096, cudaMemcpyHostToDevice); // expect: autoprof-copy-small-scattered low
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      cudaMemcpy2D(d + i * pitch + j * 8, pitch, h + i * width + j * 8, width, width, 8, cudaMemcpyHostToDevice); // expect: autoprof-copy-small-scattered low
  for (int i = 0; i < n; ++i, d += 64, h += 64)
    cudaMemcpy(d, h, 256, cudaMemcpyHostToDevice); // expect: autoprof-copy-small-scattered low
}

// Large pieces, and of unknown size in a plain loop.
void large(float *d, const float *h, int n, size_t bytes) {
  for (int i = 0; i < n; ++i)
    cudaMemcpy(d + (size_t(i) << 20), h + (size_t(i) << 20), 4 << 20, cudaMemcpyHostToDevice);
  for (int i = 0; i < n; ++i)
    cudaMemcpy(d + i * bytes, h + i * bytes, bytes, cudaMemcpyHostToDevice);
}

// One side stands still; once; few times; within the device; asynchronous.
void others(float *d, float *d2, float *h, int n, cudaStream_t s) {
  for (int i = 0; i < n; ++i)
    cudaMemcpy(d, h + i * 64, 256, cudaMemcpyHostToDevice);
  for (int i = 0; i < n; ++i)
    cudaMemcpy(d + i * 64, h, 256, cudaMemcpyHostToDevice);
  cudaMemcpy(d + 64, h + 64, 256, cudaMemcpyHostToDevice);
  for (int i = 0; i < 4; ++i)
    cudaMemcpy(d + i * 64, h + i * 64, 256, cudaMemcpyHostToDevice);
  for (int i = 0; i < n; ++i)
    cudaMemcpy(d2 + i * 64, d + i * 64, 256, cudaMemcpyDeviceToDevice);
  float *pinned;
  cudaMallocHost(&pinned, 1 << 20);
  for (int i = 0; i < n; ++i)
    cudaMemcpyAsync(d + i * 64, pinned + i * 64, 256, cudaMemcpyHostToDevice, s);
}

// A loop that launches is another rule's.
void launching(float *d, const float *h, int n) {
  for (int i = 0; i < n; ++i) {
    cudaMemcpy(d + i * 64, h + i * 64, 256, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous
    step<<<1, 1>>>(d + i * 64);
  }
}

// One buffer for each device.
void devices(float **d, float **h, int n) {
  for (int i = 0; i < n; ++i) {
    cudaSetDevice(i);
    cudaMemcpy(d[i], h[i], 256, cudaMemcpyHostToDevice);
  }
}
