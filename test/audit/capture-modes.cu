// What a capture's mode forbids; a thread may exchange its mode.
// RUN: %check_rules
__global__ void step(float *x) { *x += 1; }
void exchanged(float *x, cudaStream_t s, cudaStream_t side, cudaGraph_t g) {
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  step<<<1, 1, 0, s>>>(x);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  cudaThreadExchangeStreamCaptureMode(&mode);
  cudaStreamSynchronize(side); // allowed
  cudaThreadExchangeStreamCaptureMode(&mode);
  cudaStreamEndCapture(s, &g);
}
void allocates(float *x, cudaStream_t s, cudaGraph_t g) {
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaMalloc(&x, 64); // expect: autoprof-graph-capture-sync
  step<<<1, 1, 0, s>>>(x);
  cudaStreamEndCapture(s, &g);
}
void relaxed(float *x, cudaStream_t s, cudaGraph_t g) {
  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
  cudaMalloc(&x, 64);
  step<<<1, 1, 0, s>>>(x);
  cudaStreamEndCapture(s, &g);
}
