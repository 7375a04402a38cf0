// An explicit wait that changes nothing.
// RUN: %check_rules
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <cublas_v2.h>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t e = (call);                                                    \
    if (e != cudaSuccess) {                                                    \
      std::printf("%s\n", cudaGetErrorString(e));                              \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

__global__ void step(float *x) { *x += 1; }





void loop(float *x, float *h, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-repeated low
    cudaMemcpy(h, x, 1024, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high
  }
}



// Something was queued since.
void queued(float *x, float *h, size_t n) {
  step<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  step<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  cudaMemsetAsync(x, 0, n);
  cudaDeviceSynchronize();
  cudaMemcpy(x, h, n, cudaMemcpyHostToDevice);
  cudaDeviceSynchronize();
}
void maybeQueued(float *x, bool again) {
  step<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  if (again)
    step<<<1, 1>>>(x);
  cudaDeviceSynchronize();
}
void external();
void unknown(float *x) {
  step<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  external();
  cudaDeviceSynchronize();
}

// Other streams, other events.
void streams(float *x, float *h, size_t n) {
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  step<<<1, 1, 0, a>>>(x);
  step<<<1, 1, 0, b>>>(x + 1);
  cudaStreamSynchronize(a);
  cudaStreamSynchronize(b);
  step<<<1, 1, 0, a>>>(x);
  cudaStreamSynchronize(a);
  cudaMemcpyAsync(h, x, n, cudaMemcpyDeviceToHost, b);
  cudaStreamSynchronize(b);
}
void twoEvents(float *x, cudaEvent_t a, cudaEvent_t b, cudaStream_t s,
               cudaStream_t t) {
  step<<<1, 1, 0, s>>>(x);
  cudaEventRecord(a, s);
  step<<<1, 1, 0, t>>>(x);
  cudaEventRecord(b, t);
  cudaEventSynchronize(a);
  cudaEventSynchronize(b);
}

// An event, after which more was queued.
void laterWork(float *x, cudaEvent_t e) {
  step<<<1, 1>>>(x);
  cudaEventRecord(e);
  step<<<1, 1>>>(x);
  cudaEventSynchronize(e);
  cudaDeviceSynchronize();
}

// After an asynchronous copy, before one to the device, or with host work that
// needs the data in between.
void copies(float *x, float *pinned, size_t n, cudaStream_t s) {
  step<<<1, 1, 0, s>>>(x);
  cudaMemcpyAsync(pinned, x, n, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  std::printf("%f\n", pinned[0]);
  step<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  cudaMemcpy(x, pinned, n, cudaMemcpyHostToDevice);
}
void pageable(float *x, cudaStream_t s) {
  float onStack[16];
  step<<<1, 1, 0, s>>>(x);
  cudaMemcpyAsync(onStack, x, 64, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s); // the copy waits only while the memory is pageable
  std::printf("%f\n", onStack[0]);
}
void reads(float *x, float *pinned, size_t n) {
  cudaMemcpyAsync(pinned, x, n, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  float sum = pinned[0] + pinned[1];
  cudaMemcpy(pinned, x, n, cudaMemcpyDeviceToHost);
  std::printf("%f\n", sum);
}

// The wait is for the clock.
#include <chrono>
void timed(float *x, float *h, size_t n) {
  step<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  auto end = std::chrono::steady_clock::now();
  cudaMemcpy(h, x, n, cudaMemcpyDeviceToHost);
  std::printf("%ld\n", long(end.time_since_epoch().count()));
}

// Each device has its own.
void devices(float **x, float *h, int n) {
  for (int i = 0; i < n; ++i) {
    cudaSetDevice(i);
    cudaDeviceSynchronize();
  }
  cudaSetDevice(0);
  cudaDeviceSynchronize();
  cudaMemcpyPeer(x[0], 0, x[1], 1, 4);
}

// Each path to the call has a wait of its own, and none of them always ran.
void ways(float *x, float *h, int n, bool copies) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    if (copies)
      cudaMemcpy(h, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous
    else
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  }
  cudaDeviceSynchronize();
}
static void endsInVariousWays(float *x, bool early) {
  if (early) {
    cudaDeviceSynchronize();
    return;
  }
  step<<<1, 1>>>(x);
  cudaDeviceSynchronize();
}
void afterVariousEnds(float *x, bool early) {
  step<<<1, 1>>>(x);
  endsInVariousWays(x, early);
  cudaDeviceSynchronize();
}
// A wait that a lambda or an overrider makes may not happen.
void passedOn(float *x, int *begin, int *end, std::once_flag &flag) {
  step<<<1, 1>>>(x);
  std::for_each(begin, end, [](int) { cudaDeviceSynchronize(); });
  cudaDeviceSynchronize();
  step<<<1, 1>>>(x);
  std::call_once(flag, [] { cudaDeviceSynchronize(); });
  cudaDeviceSynchronize();
}
struct Model {
  virtual ~Model();
  virtual void finish() { cudaDeviceSynchronize(); }
};
void overridden(Model &m, float *x) {
  step<<<1, 1>>>(x);
  m.finish();
  cudaDeviceSynchronize();
}
// This one always ran.
void atLeastOnce(float *x, int n) {
  do {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
  } while (--n > 0);
  cudaDeviceSynchronize();
}


// A function that is not seen may have queued work on a non-blocking stream,
// also before the caller's call.
static void afterUnknown(float *x, float *h) {
  step<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  cudaMemcpy(h, x, 4, cudaMemcpyDeviceToHost);
}
void callers(float *x, float *h) {
  step<<<1, 1>>>(x);
  afterKnown(x, h);
  external();
  cudaDeviceSynchronize();
  afterKnown(x, h);
  external();
  afterUnknown(x, h);
  cudaMemcpy(h, x, 4, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
}

