__global__ void scale_kernel(float *data) { data[threadIdx.x] *= 2; }

float scale(float *data, int times) {
  float first = 0;
  for (int i = 0; i < times; ++i) {
    scale_kernel<<<1, 32>>>(data);
    cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
    if (first > 1000)
      break;
  }
  return first;
}
