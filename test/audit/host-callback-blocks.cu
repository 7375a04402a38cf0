// A host function on a stream calls the API, locks, sleeps or joins.
// RUN: %check_rules
#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>

__global__ void step(float *x) { *x += 1; }

static std::mutex Mutex;
static std::atomic<int> Count;

static void callsApi(void *x) { cudaFree(x); }
static void locksGuard(void *) { std::lock_guard<std::mutex> lock(Mutex); }
static void locksPlain(void *) {
  Mutex.lock();
  Mutex.unlock();
}
static void sleeps(void *) {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}
static void helper(void *x) { cudaMemset(x, 0, 4); }
static void byCall(void *x) { helper(x); }
static void CUDART_CB status(cudaStream_t, cudaError_t, void *t) {
  static_cast<std::thread *>(t)->join();
}

// They do not block: counting, printing, starting a thread, trying to lock,
// the words of an error.
static void counts(void *) { ++Count; }
static void prints(void *) { std::printf("done\n"); }
static void starts(void *) { std::thread([] { Count = 0; }).detach(); }
static void tries(void *) {
  if (Mutex.try_lock())
    Mutex.unlock();
}
static void CUDART_CB reports(cudaStream_t, cudaError_t e, void *) {
  if (e != cudaSuccess)
    std::printf("%s\n", cudaGetErrorString(e));
}
static void notCalled(void *x) { cudaFree(x); }
void unknown(void *);

void run(cudaStream_t s, float *x, std::thread *t, cudaHostFn_t given, int n) {
  cudaLaunchHostFunc(s, callsApi, x);        // expect: autoprof-host-callback-blocks note
  cudaLaunchHostFunc(s, locksGuard, x);      // expect: autoprof-host-callback-blocks
  cudaLaunchHostFunc(s, &locksPlain, x);     // expect: autoprof-host-callback-blocks
  cudaLaunchHostFunc(s, byCall, x);          // expect: autoprof-host-callback-blocks
  cudaStreamAddCallback(s, status, t, 0);    // expect: autoprof-host-callback-blocks
  cudaLaunchHostFunc(s, [](void *p) { cudaFree(p); }, x); // expect: autoprof-host-callback-blocks
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaLaunchHostFunc(s, sleeps, x); // expect: autoprof-host-callback-blocks medium
    cudaLaunchHostFunc(s, counts, x);
  }
  cudaLaunchHostFunc(s, counts, x);
  cudaLaunchHostFunc(s, prints, x);
  cudaLaunchHostFunc(s, starts, x);
  cudaLaunchHostFunc(s, tries, x);
  cudaStreamAddCallback(s, reports, x, 0);
  cudaLaunchHostFunc(s, unknown, x);
  cudaLaunchHostFunc(s, given, x);
  cudaLaunchHostFunc(s, [](void *) { ++Count; }, x);
  std::thread(notCalled, x).join();
}
