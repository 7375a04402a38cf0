#include <cuda_runtime.h>
__global__ void step(float *Data) { *Data += 1; }
int main() {
  float *Data;
  cudaMalloc(&Data, sizeof *Data);
  for (int I = 0; I < 200; ++I) {
    step<<<1, 1>>>(Data);
    cudaDeviceSynchronize();
  }
  cudaFree(Data);
}
