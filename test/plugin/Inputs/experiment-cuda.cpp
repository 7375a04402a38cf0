// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plays CUDA for experiment.cpp: copies are made at once, calls are noted.
#include <cstdlib>
#include <cstring>
#include <cuda_runtime_api.h>
#include <string>

std::string calls;
static int events;

extern "C" {
cudaError_t cudaMemcpy(void *to, const void *from, size_t size,
                       cudaMemcpyKind) {
  calls += " copy-and-wait";
  std::memcpy(to, from, size);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size,
                            cudaMemcpyKind, cudaStream_t stream) {
  calls += stream ? " copy-on-stream" : " copy";
  std::memcpy(to, from, size);
  return cudaSuccess;
}
cudaError_t cudaHostAlloc(void **memory, size_t size, unsigned) {
  *memory = std::malloc(size);
  return size > 1000 ? cudaErrorMemoryAllocation : cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
  *event = reinterpret_cast<cudaEvent_t>(static_cast<size_t>(++events));
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  calls += " record" + std::to_string(reinterpret_cast<size_t>(event));
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  calls += " wait" + std::to_string(reinterpret_cast<size_t>(event));
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  calls += " synchronize";
  return cudaErrorUnknown;
}
}
