// An explicit wait in a launching loop, right before a clock is read.
// RUN: %check_rules
#include <chrono>
#include <cstdio>
#include <ctime>
#include <sys/time.h>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t e = (call);                                                    \
    if (e != cudaSuccess) {                                                    \
      std::printf("%s\n", cudaGetErrorString(e));                              \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

__global__ void step(float *x) { *x += 1; }

using Clock = std::chrono::steady_clock;

double seconds() {
  timeval t;
  gettimeofday(&t, nullptr);
  return t.tv_sec + t.tv_usec * 1e-6;
}

struct Timer {
  double Begin = 0, Sum = 0;
  virtual void start() { Begin = seconds(); }
  virtual void stop() { Sum += seconds() - Begin; }
  virtual ~Timer() = default;
};

void clocks(float *x, int n, cudaStream_t s, Timer *timer) {
  Clock::time_point first = Clock::now();
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    CHECK(cudaDeviceSynchronize()); // expect: autoprof-sync-for-timing low
    Clock::time_point last = Clock::now();
    std::printf("%ld\n", long((last - first).count()));
    step<<<1, 1, 0, s>>>(x);
    cudaStreamSynchronize(s); // expect: autoprof-sync-for-timing low
    double end = seconds();
    step<<<1, 1, 0, s>>>(x);
    CHECK(cudaStreamSynchronize(s)); // expect: autoprof-sync-for-timing low
    CHECK(cudaGetLastError());
    timer->stop();
    std::printf("%f\n", end);
  }
}

void events(float *x, int n, cudaEvent_t start, cudaEvent_t stop) {
  for (int i = 0; i < n; ++i) {
    cudaEventRecord(start);
    step<<<1, 1>>>(x);
    cudaEventRecord(stop);
    CHECK(cudaEventSynchronize(stop)); // expect: autoprof-sync-for-timing low
    float ms;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    std::printf("%f\n", ms);
  }
}

// The timer's class, and the loop around its caller.
static void stopTimer(Timer *timer) { timer->stop(); }
static void timed(float *x, Timer *timer) {
  timer->start();
  step<<<1, 1>>>(x);
  cudaDeviceSynchronize(); // expect: autoprof-sync-for-timing low
  stopTimer(timer);
}
void byCalls(float *x, int n, Timer *timer) {
  for (int i = 0; i < n; ++i)
    timed(x, timer);
}

// Once: it is how one measures.
void once(float *x, Timer *timer, cudaEvent_t start, cudaEvent_t stop) {
  timer->start();
  for (int i = 0; i < 100; ++i)
    step<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  timer->stop();
  cudaEventRecord(start);
  step<<<1, 1>>>(x);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float ms;
  cudaEventElapsedTime(&ms, start, stop);
  std::printf("%f\n", ms);
}

// Something else stands between the wait and the clock.
void between(float *x, int n, float *host, Timer *timer, cudaStream_t s) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
    step<<<1, 1>>>(x);
    timer->stop();
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop
    cudaMemcpyAsync(x, host, 4, cudaMemcpyHostToDevice, s);
    timer->start();
  }
}

// The clock is read before the wait, on one way only, or by code that is not
// seen.
void unknown();
void sometimes(float *x, int n, bool measure, Timer *timer) {
  for (int i = 0; i < n; ++i) {
    timer->start();
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-for-timing low
    if (measure)
      timer->stop();
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
    unknown();
    timer->start();
  }
}

// Not clocks.
namespace mine {
double now() { return 0; }
double gettimeofday() { return 0; }
} // namespace mine
void others(float *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
    sum += mine::now() + mine::gettimeofday();
  }
  std::printf("%f\n", sum);
}
