// A loop only polls whether the GPU is done.
// RUN: %check_rules
#include <chrono>
#include <thread>

#define CHECK(call)                                                            \
  do {                                                                         \
    if ((call) != cudaSuccess)                                                 \
      return;                                                                  \
  } while (0)

__global__ void step(float *x) { *x += 1; }

// One query; work in between; each of several streams; queries that do not end
// the loop.
void work();
bool isDone(cudaEvent_t e) { return cudaEventQuery(e) == cudaSuccess; }
void others(float *x, cudaStream_t *s, cudaEvent_t e, int n) {
  if (cudaEventQuery(e) == cudaErrorNotReady)
    cudaEventSynchronize(e);
  while (cudaEventQuery(e) == cudaErrorNotReady)
    work();
  for (int i = 0; i < n; ++i)
    if (cudaStreamQuery(s[i]) == cudaSuccess)
      break;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s[0]>>>(x);
    cudaStreamQuery(s[0]); // so that the launch is handed on at once
  }
  while (cudaStreamQuery(s[0]) == cudaErrorNotReady)
    step<<<1, 1, 0, s[1]>>>(x);
  int done = 0;
  while (done < n)
    for (int i = 0; i < n; ++i)
      done += cudaStreamQuery(s[i]) == cudaSuccess;
}
namespace mine {
int cudaStreamQuery(int x) { return x; }
} // namespace mine
void similar(int x) {
  while (mine::cudaStreamQuery(x) == 600)
    ++x;
}

// In a launching loop, polling costs as much as the call that waits.
void inLoop(float *x, cudaEvent_t e, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaEventRecord(e);
    while (cudaEventQuery(e) == cudaErrorNotReady) // expect: autoprof-host-poll-loop high
      ;
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaEventRecord(e);
    cudaEventSynchronize(e); // expect: autoprof-sync-in-loop high
  }
}
