// A call that is captured into a graph does not wait.
// RUN: %check_rules
#include <cstdlib>

__global__ void step(float *x) { *x += 1; }

void captures(float *x, cudaStream_t s, int n) {
  float *h = static_cast<float *>(std::malloc(64 << 20));
  for (int i = 0; i < n; ++i) {
    cudaGraph_t graph;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    step<<<1, 1, 0, s>>>(x);
    cudaMemcpyAsync(h, x, 64 << 20, cudaMemcpyDeviceToHost, s);
    cudaStreamEndCapture(s, &graph);
    step<<<1, 1, 0, s>>>(x);
    cudaMemcpyAsync(h, x, 64 << 20, cudaMemcpyDeviceToHost, s); // expect: autoprof-copy-async-pageable high
  }
}
