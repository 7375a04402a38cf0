// What is advised for copies and managed memory must not break the program.
// RUN: %check_rules
#include <cstdio>
#include <numeric>
#include <cstring>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <vector>

__global__ void step(float *x) { *x += 1; }

// The copy of pageable memory was the wait.
void pageable(float *x, std::vector<float> &h, std::vector<float> &in, cudaStream_t s, int n) {
  for (int i = 0; i < n; ++i) {
    cudaMemcpyAsync(x, in.data(), 64 << 20, cudaMemcpyHostToDevice, s); // expect: autoprof-copy-async-pageable; advice: Wait for an event before the host overwrites the buffer
    step<<<1, 1, 0, s>>>(x);
    cudaMemcpyAsync(h.data(), x, 64 << 20, cudaMemcpyDeviceToHost, s); // expect: autoprof-copy-async-pageable; advice: The copy into pageable memory was the wait: wait for an event before the host reads or overwrites the buffer
  }
}
void toDevice(float *x, const float *in, int n) {
  for (int i = 0; i < n; ++i) {
    cudaMemcpy(x, in, 4096, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous; advice: before the source buffer is overwritten
    step<<<1, 1>>>(x);
  }
}
void toHost(float *x, float *out, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaMemcpy(out, x, 4096, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous; advice: wait for an event where the host first uses the data
  }
}
void withinManaged(float *x, int n) {
  float *m;
  cudaMallocManaged(&m, 4096);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaMemcpy(m, x, 4096, cudaMemcpyDeviceToDevice); // expect: autoprof-copy-synchronous; advice: cudaMemcpyAsync; no advice: pinned
  }
}

// The copy is pageable today: without cudaFree nothing may wait for it.
void freed(float *x, float *out, int n) {
  for (int i = 0; i < n; ++i) {
    float *scratch;
    cudaMalloc(&scratch, 64); // expect: autoprof-memory-alloc-in-loop
    step<<<1, 1>>>(scratch);
    cudaMemcpyAsync(out, x, 64, cudaMemcpyDeviceToHost);
    cudaFree(scratch); // expect: autoprof-memory-alloc-in-loop; advice: keep a wait where the host uses results
  }
}

// The value is returned: there is no memory to copy.
void peaks(thrust::device_vector<float> &v, float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    printf("%f\n", thrust::reduce(v.begin(), v.end())); // expect: autoprof-readback-printed; advice: cub::DeviceReduce into device memory
  }
}

// Whether the caller uses what is returned is not known.
static float total(float *x) {
  float sum;
  step<<<1, 1>>>(x);
  cudaMemcpy(&sum, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high; no advice: where the callers use it
  return sum;
}
// What the function reads before it returns must be complete.
static float element(float *x, cudaStream_t s) {
  static float *h;
  cudaMallocHost(&h, 4096); // expect: autoprof-memory-alloc-in-loop
  step<<<1, 1, 0, s>>>(x);
  cudaMemcpyAsync(h, x, 4096, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: where the callers use it
  return *h;
}
static float computed(float *x, cudaStream_t s) {
  static float *h;
  cudaMallocHost(&h, 4096); // expect: autoprof-memory-alloc-in-loop
  step<<<1, 1, 0, s>>>(x);
  cudaMemcpyAsync(h, x, 4096, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; advice: The host uses the result immediately; no advice: returns the value
  return std::accumulate(h, h + 1024, 0.f);
}
void drops(float *x, cudaStream_t s, int n) {
  for (int i = 0; i < n; ++i) {
    total(x);
    element(x, s);
    computed(x, s);
  }
}

// After the loop, the host reads what it has written itself.
void overwrites(float *x, float *h, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaMemcpy(h, x, 4096, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high; no advice: after the loop
  }
  memset(h, 0, 4096);
  printf("%f\n", h[0]);
}

// Kernels read what the host changes next.
void managedInput(int n) {
  float *m;
  cudaMallocManaged(&m, 4096);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(m);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high; no advice: after the loop
    m[0] = i;
  }
}

// The memory is pinned already.
void alreadyPinned(float *d, int n) {
  float *h;
  cudaMallocHost(&h, 64);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(d);
    cudaMemcpy(d, h, 64, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous; no advice: pinned memory; advice: cudaMemcpyAsync on the stream
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(d);
    cudaMemcpy(h, d, 64, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous; no advice: into pinned memory
  }
  std::printf("%f\n", h[0]);
}
