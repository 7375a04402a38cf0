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

// Nothing was queued since a wait for the same.
void after(float *x, float *h, size_t n) {
  step<<<1, 1>>>(x);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaDeviceSynchronize()); // expect: autoprof-sync-repeated note
  step<<<1, 1>>>(x);
  CHECK(cudaMemcpy(h, x, n, cudaMemcpyDeviceToHost));
  std::printf("%f\n", h[0]);
  cudaDeviceSynchronize(); // expect: autoprof-sync-repeated note
}

// A copy to the host waits for the same work.
void before(float *x, float *h, size_t n) {
  step<<<1, 1>>>(x);
  CHECK(cudaDeviceSynchronize()); // expect: autoprof-sync-repeated note
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h, x, n, cudaMemcpyDeviceToHost));
}

void stream(float *x, float *h, size_t n) {
  cudaStream_t s;
  cudaStreamCreate(&s);
  step<<<1, 1, 0, s>>>(x);
  cudaStreamSynchronize(s); // expect: autoprof-sync-repeated note
  cudaMemcpyAsync(h, x, n, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  step<<<1, 1, 0, s>>>(x);
  cudaStreamSynchronize(s); // expect: autoprof-sync-repeated note
  cudaMemcpy(h, x, n, cudaMemcpyDeviceToHost);
  cudaStreamDestroy(s);
}

// Events.
void events(float *x, cudaEvent_t start, cudaEvent_t stop, float *h) {
  cudaEventRecord(start);
  step<<<1, 1>>>(x);
  cudaEventRecord(stop);
  cudaDeviceSynchronize();
  cudaEventSynchronize(stop); // expect: autoprof-sync-repeated note
  cudaEventRecord(start);
  step<<<1, 1>>>(x);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float ms;
  cudaEventElapsedTime(&ms, start, stop);
  cudaDeviceSynchronize(); // expect: autoprof-sync-repeated note
  std::printf("%f %f\n", ms, *h);
}

void loop(float *x, float *h, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize();                           // expect: autoprof-sync-repeated low
    cudaMemcpy(h, x, 1024, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous
  }
}

float scalar(const float *x, int n) {
  cublasHandle_t handle;
  cudaStream_t s;
  float sum;
  cublasCreate(&handle);
  cudaStreamCreate(&s);
  cublasSetStream(handle, s);
  cublasSasum(handle, n, x, 1, &sum);
  cudaStreamSynchronize(s); // expect: autoprof-sync-repeated note
  return sum;
}

// As arguments of a macro.
void inMacros(float *x, float *h, size_t n) {
  cudaStream_t s, t;
  cudaEvent_t stop;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaStreamCreate(&t));
  CHECK(cudaEventCreate(&stop));
  step<<<1, 1, 0, s>>>(x);
  CHECK(cudaStreamSynchronize(s)); // expect: autoprof-sync-repeated note
  CHECK(cudaMemcpyAsync(h, x, n, cudaMemcpyDeviceToHost, s));
  CHECK(cudaStreamSynchronize(s));
  step<<<1, 1, 0, t>>>(x);
  CHECK(cudaStreamSynchronize(t));
  CHECK(cudaMemcpyAsync(h, x, n, cudaMemcpyDeviceToHost, s));
  CHECK(cudaEventRecord(stop, s));
  CHECK(cudaEventSynchronize(stop));
  CHECK(cudaStreamSynchronize(s)); // expect: autoprof-sync-repeated note
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
    cudaDeviceSynchronize();
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
  cudaDeviceSynchronize(); // expect: autoprof-sync-repeated note; message: since cudaDeviceSynchronize at line
}

// Memory that is made in between queues nothing.
void made(float *x, size_t n) {
  float *h;
  step<<<1, 1>>>(x);
  cudaDeviceSynchronize(); // expect: autoprof-sync-repeated note
  cudaMallocHost(&h, n);
  cudaMemcpy(h, x, n, cudaMemcpyDeviceToHost);
}

// A function that is not seen may have queued work on a non-blocking stream,
// also before the caller's call.
static void afterUnknown(float *x, float *h) {
  step<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  cudaMemcpy(h, x, 4, cudaMemcpyDeviceToHost);
}
static void afterKnown(float *x, float *h) {
  step<<<1, 1>>>(x);
  cudaDeviceSynchronize(); // expect: autoprof-sync-repeated note
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

// The copy does not wait, but the call after it does.
void copyThenWait(float *x, cudaStream_t s) {
  float *h;
  cudaMallocHost(&h, 4);
  step<<<1, 1, 0, s>>>(x);
  cudaStreamSynchronize(s); // expect: autoprof-sync-repeated note; message: cudaStreamSynchronize at line 306 waits for the same work; no message: cudaMemcpyAsync
  cudaMemcpyAsync(h, x, 4, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  std::printf("%g", *h);
}
