// Loops in callees count like loops in one function; loops that never run do not.
// RUN: %check_rules
__global__ void step(float *x) { *x += 1; }
static void layers(float *x, int count) {
  for (int l = 0; l < count; ++l) {
    step<<<1, 1>>>(x);
    float *scratch;
    cudaMalloc(&scratch, 64); // expect: autoprof-memory-alloc-in-loop low
    cudaFree(scratch);        // expect: autoprof-memory-alloc-in-loop high
  }
}
void train(float *x, int count, int n) {
  for (int i = 0; i < n; ++i)
    layers(x, count);
}

static void rings(float *x, int neighbors, int count) {
  for (int i = 0; i < neighbors; ++i)
    for (int ring = 1; ring < count; ++ring) {
      step<<<1, 1>>>(x);
      cudaDeviceSynchronize(); // the only call passes 1
    }
}
void once(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    rings(x, n, 1);
  }
}

// A loop that runs in few iterations of another one does not come first.
static void forces(float *x, float *h) {
  step<<<1, 1>>>(x);
  cudaMemcpy(h, x, 400, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high; message: of the loop at nested-loops.cu:41
}
void predict(float *x, float *h, int n) {
  for (int i = 0; i < n; ++i)
    forces(x, h);
}
void fit(float *x, float *h, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    forces(x, h);
    if (i % 100 == 0)
      predict(x, h, n);
  }
}

// A condition that differs in the iterations of a loop holds in some of them,
// so in each iteration of the loop around it.
void losses(float *x, float *h, int n, int layers) {
  for (int i = 0; i < n; ++i) {
    int sum = 0;
    for (int l = 0; l < layers; ++l) {
      step<<<1, 1>>>(x);
      sum += 3 * l;
      if (sum > 40)
        cudaMemcpy(h, x, 400, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous medium; message: of the loop at nested-loops.cu:52
    }
  }
}
