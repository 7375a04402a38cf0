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

void polls(float *x, cudaStream_t s, cudaEvent_t e) {
  step<<<1, 1, 0, s>>>(x);
  while (cudaStreamQuery(s) == cudaErrorNotReady) // expect: autoprof-host-poll-loop low
    ;
  cudaEventRecord(e, s);
  unsigned long count = 0;
  while (cudaEventQuery(e) != cudaSuccess) // the CPU works meanwhile
    ++count;
  for (;;) {
    if (cudaEventQuery(e) == cudaSuccess) // expect: autoprof-host-poll-loop low
      break;
    std::this_thread::sleep_for(std::chrono::microseconds(10));
  }
}

// By way of a variable.
void variables(float *x, cudaStream_t s, cudaEvent_t e, int n) {
  cudaError_t status;
  do {
    status = cudaStreamQuery(s); // expect: autoprof-host-poll-loop low
  } while (status == cudaErrorNotReady);
  for (;;) {
    const cudaError_t now = cudaEventQuery(e); // expect: autoprof-host-poll-loop low
    if (now == cudaSuccess)
      break;
  }
  do { // It ends for another reason.
    status = cudaStreamQuery(s);
    if (n-- == 0)
      status = cudaSuccess;
  } while (status == cudaErrorNotReady);
}

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
    while (cudaEventQuery(e) == cudaErrorNotReady) // expect: autoprof-host-poll-loop medium; advice: check whether each iteration must wait
      ;
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaEventRecord(e);
    cudaEventSynchronize(e); // expect: autoprof-sync-in-loop medium
  }
}
// The CPU has its own work meanwhile.
double works(float *x, cudaEvent_t e) {
  double sum = 0;
  step<<<1, 1>>>(x);
  cudaEventRecord(e);
  while (cudaEventQuery(e) == cudaErrorNotReady)
    sum += 1;
  return sum;
}
