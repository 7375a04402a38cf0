// A value that decides whether a loop continues, and that the GPU gets, too:
// testing it less often would give the kernels an old one.
// RUN: %check_rules
__global__ void expand(const int *from, int count, int *next);
__global__ void step(float *x);

void search(int *queue, int *next, int count) {
  while (count > 0) {
    expand<<<1, 256>>>(queue, count, next);
    cudaMemcpy(&count, next, sizeof count, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control high; advice: keep the test on the GPU; no advice: test every N
  }
}

void solve(float *x, float *error) {
  float left = 1;
  while (left > 0) {
    step<<<1, 256>>>(x);
    cudaMemcpy(&left, error, sizeof left, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control high; advice: test every N
  }
}
