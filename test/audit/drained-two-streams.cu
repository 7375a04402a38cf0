// A wait for one of the program's streams does not.
// RUN: %check_rules
__global__ void step(float *x) { *x += 1; }

static void work(cudaStream_t s) {
  float *x;
  cudaMalloc(&x, 64); // expect: autoprof-memory-alloc-in-loop
  step<<<1, 1, 0, s>>>(x);
  cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high
  cudaFree(x); // expect: autoprof-memory-alloc-in-loop high
}
int main(int argc, char **) {
  cudaStream_t s[2];
  for (int i = 0; i < 2; ++i)
    cudaStreamCreate(&s[i]);
  for (int i = 0; i < argc * 1000; ++i)
    work(s[i % 2]);
}
