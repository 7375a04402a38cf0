#pragma once
static __global__ void scale_kernel(float *data, int n, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= by;
}
