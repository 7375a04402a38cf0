// A wait for the program's only stream leaves cudaFree nothing to wait for.
// RUN: %check_rules
__global__ void step(float *x) { *x += 1; }

static void work(cudaStream_t s) {
  float *x;
  cudaMalloc(&x, 64); // expect: autoprof-memory-alloc-in-loop
  step<<<1, 1, 0, s>>>(x);
  cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high
  cudaFree(x); // expect: autoprof-memory-alloc-in-loop low
}
int main(int argc, char **) {
  cudaStream_t s;
  cudaStreamCreate(&s);
  for (int i = 0; i < argc * 1000; ++i)
    work(s);
  cudaStreamDestroy(s);
}
