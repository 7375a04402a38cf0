// Where nothing can be queued any more, a call has little to wait for.
// RUN: %check_rules
__global__ void step(float *x) { *x += 1; }

void copies(float *x, float *y, float *h, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high
    // It is large, so it takes long even if nothing is queued.
    cudaMemcpy(h + (1 << 20), y, 1 << 20, cudaMemcpyDeviceToHost); // expect: same
    cudaMemcpy(h + (1 << 20), y, 1 << 10, cudaMemcpyDeviceToHost); // expect: same
    cudaMemcpy(h + (1 << 20), y, n, cudaMemcpyDeviceToHost); // expect: same
  }
}

void frees(int n) {
  for (int i = 0; i < n; ++i) {
    float *x, *y;
    cudaMalloc(&x, 64); // expect: autoprof-memory-alloc-in-loop
    cudaMalloc(&y, 64); // expect: same
    step<<<1, 1>>>(x);
    cudaFree(x); // expect: autoprof-memory-alloc-in-loop high
    cudaFree(y); // expect: same
  }
}

// On one of two ways there is work.
void ways(float *x, float *h, int n, bool more) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high
    if (more)
      step<<<1, 1>>>(x);
    cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high
  }
}

// The wait that a called function ends with.
static void solve(float *x, float *h, int n) {
  step<<<1, 1>>>(x);
  if (n > 3)
    step<<<1, 1>>>(x);
  cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous
}
static void outer(float *x, float *h, int n) { solve(x, h, n); }
void afterCall(float *x, float *h, int n) {
  for (int i = 0; i < n; ++i) {
    outer(x, h, n);
    cudaDeviceSynchronize(); // expect: autoprof-sync-repeated low
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  }
}
// On one of its ways it does not wait, or it queues work after the wait.
static void perhaps(float *x, int n) {
  step<<<1, 1>>>(x);
  if (n > 3)
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
}
static void queuesAfter(float *x) {
  cudaDeviceSynchronize(); // expect: autoprof-sync-repeated low
  step<<<1, 1>>>(x);
}
void afterOthers(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    perhaps(x, n);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    queuesAfter(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  }
}

// Arguments of one call are evaluated in any order; inserted values are not.
static int take(const float *) { return 0; }
static int copied(float *x, float *h) {
  return cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high
}
static void both(int, int) {}
void arguments(float *x, float *y, float *h, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    both(cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost), // expect: autoprof-copy-synchronous high
         cudaMemcpy(h + (1 << 20), y, 1 << 20, cudaMemcpyDeviceToHost)); // expect: same
    step<<<1, 1>>>(x);
    int failed = cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost) + // expect: autoprof-copy-synchronous high
                 cudaMemcpy(h + (1 << 20), y, 1 << 20, cudaMemcpyDeviceToHost); // expect: same
    step<<<1, 1>>>(x);
    both(copied(x, h), cudaMemcpy(h + (1 << 20), y, 1 << 20, cudaMemcpyDeviceToHost)); // expect: autoprof-copy-synchronous low
    step<<<1, 1>>>(x);
    if (cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost) || // expect: autoprof-copy-synchronous high
        cudaMemcpy(h + (1 << 20), y, 1 << 10, cudaMemcpyDeviceToHost)) // expect: same
      ++failed;
    both(failed, take(h));
  }
}

// The wait just before a release has the finding.
void releases(int n) {
  for (int i = 0; i < n; ++i) {
    float *x;
    cudaMalloc(&x, 64); // expect: autoprof-memory-alloc-in-loop
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    cudaFree(x); // expect: autoprof-memory-alloc-in-loop low
  }
}
