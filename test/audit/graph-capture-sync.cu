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
  cudaStreamSynchronize(s); // expect: autoprof-graph-capture-sync medium
}
static void queue(float *x, cudaStream_t s) { step<<<1, 1, 0, s>>>(x); }
// Called during a capture and without one. A copy of pageable memory becomes a
// node of the graph.
static void copies(float *x, cudaStream_t s) {
  float *h = static_cast<float *>(std::malloc(64 << 20));
  cudaMemcpyAsync(h, x, 64 << 20, cudaMemcpyDeviceToHost, s);
}
static void perhaps(cudaStream_t s, bool wait) {
  if (wait)
    cudaStreamSynchronize(s);
}

cudaGraph_t waits(float *x, float *h, cudaStream_t s) {
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  step<<<1, 1, 0, s>>>(x);
  CHECK(cudaStreamSynchronize(s)); // expect: autoprof-graph-capture-sync medium
  cudaDeviceSynchronize(); // expect: autoprof-graph-capture-sync medium
  cudaMemcpy(h, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-graph-capture-sync medium
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
  copies(x, s);
  if (cudaGetLastError() != cudaSuccess) {
    cudaDeviceSynchronize(); // on the way out
    std::exit(1);
  }
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&run, graph, 0);
  cudaGraphLaunch(run, s);
  copies(x, s);
  cudaStreamSynchronize(s);
  cudaDeviceSynchronize();
}

// The relaxed mode allows what does not conflict with the capture itself.
void relaxed(float *x, float *y, float *h, cudaStream_t s, cudaStream_t other,
             cudaStreamCaptureMode mode) {
  cudaGraph_t graph;
  cudaMalloc(&x, 64);
  cudaMalloc(&y, 64);
  cudaMalloc(&h, 64);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
  step<<<1, 1, 0, s>>>(x);
  cudaStreamSynchronize(other);
  cudaFree(y);
  cudaDeviceSynchronize(); // expect: autoprof-graph-capture-sync medium
  cudaStreamEndCapture(s, &graph);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal);
  cudaFree(x); // expect: autoprof-graph-capture-sync medium; message: is captured: the capture's mode forbids that, so the capture fails
  cudaStreamEndCapture(s, &graph);
  cudaStreamBeginCapture(s, mode);
  cudaStreamSynchronize(s); // expect: autoprof-graph-capture-sync medium
  cudaFree(h);
  cudaStreamEndCapture(s, &graph);
}
void blocking(float *x, float *h) {
  cudaStream_t s;
  cudaGraph_t graph;
  cudaStreamCreate(&s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
  cudaMemcpy(h, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-graph-capture-sync medium
  cudaStreamEndCapture(s, &graph);
}
void apart(float *x, float *h) {
  cudaStream_t s;
  cudaGraph_t graph;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
  cudaMemcpy(h, x, 4, cudaMemcpyDeviceToHost);
  cudaStreamEndCapture(s, &graph);
}

// A condition may exclude captures.
void perhapsCaptured(float *x, cudaStream_t s, bool capture) {
  cudaGraph_t graph;
  if (capture)
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  step<<<1, 1, 0, s>>>(x);
  if (!capture)
    cudaStreamSynchronize(s); // expect: autoprof-graph-capture-sync low
  if (capture)
    cudaStreamEndCapture(s, &graph);
}
