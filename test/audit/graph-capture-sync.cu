// A call waits while a stream is captured.
// RUN: %check_rules
#include <cstdlib>

#define CHECK(call)                                                            \
  do {                                                                         \
    if ((call) != cudaSuccess)                                                 \
      std::exit(1);                                                            \
  } while (0)

__global__ void step(float *x) { *x += 1; }

static void finish(cudaStream_t s) {
  cudaStreamSynchronize(s); // expect: autoprof-graph-capture-sync note
}
static void queue(float *x, cudaStream_t s) { step<<<1, 1, 0, s>>>(x); }
static void perhaps(cudaStream_t s, bool wait) {
  if (wait)
    cudaStreamSynchronize(s);
}

cudaGraph_t waits(float *x, float *h, cudaStream_t s) {
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  step<<<1, 1, 0, s>>>(x);
  CHECK(cudaStreamSynchronize(s)); // expect: autoprof-graph-capture-sync note
  cudaDeviceSynchronize(); // expect: autoprof-graph-capture-sync note
  cudaMemcpy(h, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-graph-capture-sync note
  finish(s);
  CHECK(cudaStreamEndCapture(s, &graph));
  return graph;
}

// What does not wait, what is before and after, what may not be called.
void fine(float *x, float *d, cudaStream_t s, cudaEvent_t e, bool wait) {
  cudaGraph_t graph;
  cudaGraphExec_t run;
  step<<<1, 1, 0, s>>>(x);
  cudaStreamSynchronize(s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  step<<<1, 1, 0, s>>>(x);
  queue(x, s);
  cudaMemcpyAsync(d, x, 4, cudaMemcpyDeviceToDevice, s);
  cudaMemsetAsync(d, 0, 4, s);
  cudaEventRecord(e, s);
  perhaps(s, wait);
  if (cudaGetLastError() != cudaSuccess) {
    cudaDeviceSynchronize(); // on the way out
    std::exit(1);
  }
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&run, graph, 0);
  cudaGraphLaunch(run, s);
  cudaStreamSynchronize(s);
  cudaDeviceSynchronize();
}
