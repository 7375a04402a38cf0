// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that helpers store through parameters into fields is known there, so
// the direction of a copy between fields is, too.
// RUN: %check_rules
#include <cstdlib>

__global__ void step(float *x);

static void allocateHost(void **to, size_t size, bool pinned) {
  if (pinned)
    cudaMallocHost(to, size);
  else
    *to = malloc(size);
}
static void allocate(void **to, size_t size) { cudaMalloc(to, size); }
static void allocateTwice(void **to, size_t size) { allocate(to, size); }

struct Pair {
  void *Host, *Device;
  void create(size_t size, bool pinned) {
    allocateHost(&Host, size, pinned);
    allocateTwice(&Device, size);
  }
  void readBack(size_t size) {
    cudaMemcpy(Host, Device, size, cudaMemcpyDefault); // expect: autoprof-copy-synchronous high; message: and for the data
  }
};
float train(Pair &p, size_t size, bool pinned, int n) {
  float sum = 0;
  p.create(size, pinned);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>((float *)p.Device);
    p.readBack(size);
    sum += *(float *)p.Host;
  }
  return sum;
}
