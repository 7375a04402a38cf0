// Where nothing can be queued any more, a call has little to wait for.
// RUN: %check_rules
__global__ void step(float *x) { *x += 1; }

void copies(float *x, float *y, float *h, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost);           // expect: autoprof-copy-synchronous medium
    cudaMemcpy(h + (1 << 20), y, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous low
  }
}

void frees(int n) {
  for (int i = 0; i < n; ++i) {
    float *x, *y;
    cudaMalloc(&x, 64); // expect: autoprof-memory-alloc-in-loop
    cudaMalloc(&y, 64); // expect: autoprof-memory-alloc-in-loop
    step<<<1, 1>>>(x);
    cudaFree(x); // expect: autoprof-memory-alloc-in-loop medium
    cudaFree(y); // expect: autoprof-memory-alloc-in-loop low
  }
}

// On one of two ways there is work.
void ways(float *x, float *h, int n, bool more) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous medium
    if (more)
      step<<<1, 1>>>(x);
    cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous medium
  }
}
