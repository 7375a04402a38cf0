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
