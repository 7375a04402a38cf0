__global__ void step(float *data) { data[threadIdx.x] += 1; }

int main() {
  float *data, first;
  cudaMalloc(&data, 32 * sizeof *data);
  for (int i = 0; i < 10; ++i) {
    step<<<1, 32>>>(data);
    cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
  }
}
