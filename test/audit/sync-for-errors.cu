// An explicit wait in a launching loop that is there for errors only.
// RUN: %check_rules
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t e = (call);                                                    \
    if (e != cudaSuccess) {                                                    \
      std::printf("%s\n", cudaGetErrorString(e));                              \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

__global__ void step(float *x) { *x += 1; }

static void lastError(const char *what) {
  cudaError_t e = cudaGetLastError();
  if (e != cudaSuccess) {
    std::printf("%s: %s\n", what, cudaGetErrorString(e));
    std::exit(1);
  }
}

void inSequence(float *x, int n, cudaStream_t s) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-for-errors medium
    CHECK(cudaGetLastError());
    step<<<1, 1, 0, s>>>(x);
    CHECK(cudaStreamSynchronize(s)); // expect: autoprof-sync-for-errors medium
    lastError("step");
    cudaMemsetAsync(x, 0, 4, s);
  }
}

// The next iteration's launch follows.
void last(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-for-errors medium
    if (cudaPeekAtLastError() != cudaSuccess)
      return;
  }
}

// The usual macro has them in the other order.
#define CHECK_KERNEL()                                                         \
  do {                                                                         \
    CHECK(cudaGetLastError());                                                 \
    CHECK(cudaDeviceSynchronize());                                            \
  } while (0)
void macro(float *x, int n, cudaStream_t s) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    CHECK_KERNEL(); // expect: autoprof-sync-for-errors medium
    step<<<1, 1, 0, s>>>(x);
    CHECK(cudaGetLastError());
    CHECK(cudaStreamSynchronize(s)); // expect: autoprof-sync-for-errors medium
    step<<<1, 1, 0, s>>>(x);
  }
}

// What follows the loop waits for itself, or needs the wait.
void beforeCopy(float *x, float *host, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    CHECK_KERNEL(); // expect: autoprof-sync-for-errors medium
  }
  cudaMemcpy(host, x, 64, cudaMemcpyDeviceToHost);
}
void beforeUse(float *x, int n, cudaStream_t s) {
  float *pinned;
  cudaMallocHost(&pinned, 64);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaMemcpyAsync(pinned, x, 64, cudaMemcpyDeviceToHost, s);
    CHECK_KERNEL(); // expect: autoprof-sync-in-loop medium
  }
  std::printf("%f\n", pinned[0]);
}

// The host uses what was computed, or may.
void needed(float *x, float *host, int n, cudaStream_t s) {
  float *pinned;
  cudaMallocHost(&pinned, 64);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaMemcpyAsync(pinned, x, 64, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-readback-printed
    lastError("step");
    std::printf("%f\n", pinned[0]);
    step<<<1, 1, 0, s>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
    lastError("step");
    cudaMemcpyAsync(x, host, 64, cudaMemcpyHostToDevice, s);
  }
}

// No error check follows it.
void without(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    lastError("step");
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
    std::printf("%d\n", i);
  }
}

// Code that is not seen may need it.
void callback();
void unknown(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
    lastError("step");
    callback();
  }
}

// Once.
void once(float *x) {
  step<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  lastError("step");
  for (int i = 0; i < 3; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    lastError("step");
  }
}

// The result of the wait is tested, and nothing else needs the wait.
namespace tested {
void direct(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    if (cudaDeviceSynchronize() != cudaSuccess) // expect: autoprof-sync-for-errors medium
      return;
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    if (cudaDeviceSynchronize() != cudaSuccess) // expect: autoprof-sync-for-errors medium
      break;
  }
}
int variable(float *x, cudaStream_t s, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaError_t error = cudaStreamSynchronize(s); // expect: autoprof-sync-for-errors medium
    if (error != cudaSuccess)
      return -1;
  }
  return 0;
}
float needed(float *x, cudaStream_t s, int n) {
  float *h, sum = 0;
  cudaMallocHost(&h, 64);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaMemcpyAsync(h, x, 64, cudaMemcpyDeviceToHost, s);
    if (cudaStreamSynchronize(s) != cudaSuccess) // expect: autoprof-sync-in-loop medium
      return 0;
    sum += h[0];
  }
  return sum;
}
} // namespace tested
