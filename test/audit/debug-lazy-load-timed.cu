// The first launch of a kernel is measured.
// RUN: %check_rules
#include <chrono>
#include <cstdio>
#include <sys/time.h>

__global__ void a(float *x) { *x += 1; }
__global__ void b(float *x) { *x += 1; }
__global__ void c(float *x) { *x += 1; }
__global__ void d(float *x) { *x += 1; }
__global__ void e(float *x) { *x += 1; }
__global__ void f(float *x) { *x += 1; }

struct Timer {
  double At = 0;
  static double now() {
    timeval t;
    gettimeofday(&t, nullptr);
    return t.tv_sec + t.tv_usec * 1e-6;
  }
  void start() { At = now(); }
  double stop() { return now() - At; }
};

void events(float *x, cudaEvent_t start, cudaEvent_t stop) {
  float ms;
  cudaEventRecord(start);
  a<<<1, 1>>>(x); // expect: autoprof-debug-lazy-load-timed note; advice: set CUDA_MODULE_LOADING=EAGER; advice: scratch data
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  cudaEventElapsedTime(&ms, start, stop);
  b<<<1, 1>>>(x); // between two measurements
  cudaEventRecord(start);
  a<<<1, 1>>>(x); // its code is there
  b<<<1, 1>>>(x);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  cudaEventElapsedTime(&ms, start, stop);
  std::printf("%f\n", ms);
}

void clocks(float *x, Timer &t) {
  t.start();
  c<<<1, 1>>>(x); // expect: autoprof-debug-lazy-load-timed note
  cudaDeviceSynchronize();
  std::printf("%f\n", t.stop());
}

void times(float *x) {
  auto first = std::chrono::steady_clock::now();
  d<<<1, 1>>>(x); // expect: autoprof-debug-lazy-load-timed note
  cudaDeviceSynchronize();
  auto last = std::chrono::steady_clock::now();
  std::printf("%ld\n", long((last - first).count()));
}

// With a first launch that is not measured, in a loop, or where another
// function launches it, too.
void warm(float *x, Timer &t, int n) {
  e<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  t.start();
  e<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  std::printf("%f\n", t.stop());
  t.start();
  for (int i = 0; i < n; ++i)
    f<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  std::printf("%f\n", t.stop());
}
__global__ void shared(float *x) { *x += 1; }
void elsewhere(float *x) { shared<<<1, 1>>>(x); }
void measured(float *x, Timer &t) {
  t.start();
  shared<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  std::printf("%f\n", t.stop());
}

// Not measured: before the start, after the stop, with no end.
__global__ void g(float *x) { *x += 1; }
__global__ void h(float *x) { *x += 1; }
__global__ void i(float *x) { *x += 1; }
double outside(float *x, Timer &t, cudaEvent_t start) {
  g<<<1, 1>>>(x);
  t.start();
  cudaDeviceSynchronize();
  double s = t.stop();
  h<<<1, 1>>>(x);
  t.start();
  s += t.stop();
  cudaEventRecord(start);
  i<<<1, 1>>>(x);
  return s;
}

// Which of several times belong together is not known.
__global__ void j(float *x) { *x += 1; }
void several(float *x) {
  auto t0 = std::chrono::steady_clock::now();
  auto t1 = std::chrono::steady_clock::now();
  j<<<1, 1>>>(x);
  auto t2 = std::chrono::steady_clock::now();
  auto t3 = std::chrono::steady_clock::now();
  std::printf("%ld %ld\n", long((t1 - t0).count()), long((t3 - t2).count()));
}

// A question about a kernel loads its code.
__global__ void asked(float *x) { *x += 1; }
__global__ void asked2(float *x) { *x += 1; }
void occupancy(float *x, Timer &t) {
  int grid, block;
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, asked);
  t.start();
  asked<<<grid, block>>>(x);
  asked2<<<grid, block>>>(x); // expect: autoprof-debug-lazy-load-timed note
  std::printf("%f\n", t.stop());
}
namespace scaled_impl { // The name of the kernel begins it.
__global__ void scaled(float *x) { *x += 1; }
} // namespace scaled_impl
void occupancyOfQualified(float *x, Timer &t) {
  int grid, block;
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, scaled_impl::scaled);
  t.start();
  scaled_impl::scaled<<<grid, block>>>(x);
  std::printf("%f\n", t.stop());
}
__global__ void limited(float *x) { *x += 1; }
void limit(float *x, Timer &t) {
  cudaFuncSetAttribute((const void *)limited, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  t.start();
  limited<<<1, 1, 65536>>>(x);
  std::printf("%f\n", t.stop());
}

// A loop over devices is none.
__global__ void k(float *x) { *x += 1; }
void devices(float **x, Timer &t, int n) {
  t.start();
  for (int device = 0; device < n; ++device) {
    cudaSetDevice(device);
    k<<<1, 1>>>(x[device]); // expect: autoprof-debug-lazy-load-timed note
  }
  std::printf("%f\n", t.stop());
}
