// The legacy stream does not wait for non-blocking ones.
// RUN: %check_rules
__global__ void step(float *x) { *x += 1; }

void wanted(float *x, float *h, size_t n) {
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  step<<<1, 1, 0, s>>>(x);
  cudaStreamSynchronize(s); // the copy would not wait
  cudaMemcpy(h, x, n, cudaMemcpyDeviceToHost);
  step<<<1, 1, 0, s>>>(x);
  cudaDeviceSynchronize(); // the copy would not wait
  cudaMemcpy(h, x, n, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize(); // there may be other streams
  step<<<1, 1, 0, s>>>(x);
  cudaStreamSynchronize(s);
  cudaStreamSynchronize(s); // expect: autoprof-sync-repeated note
}

// All work is on one non-blocking stream.
void alone(float *x, float *pinned, size_t n) {
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  step<<<1, 1, 0, s>>>(x);
  cudaDeviceSynchronize(); // expect: autoprof-sync-repeated note
  cudaMemcpyAsync(pinned, x, n, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
}
