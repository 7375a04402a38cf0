// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a wait for an event orders: certain reasons come before functions whose
// code is not visible.
// RUN: %check_rules
__constant__ float gain[3];
__global__ void step(float *x) { *x += gain[0]; }
bool fetch(float *values);

void certain(float *x, int n) {
  cudaStream_t s[2];
  for (int i = 0; i < 2; ++i)
    cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking);
  float values[3] = {};
  cudaEvent_t done;
  cudaEventCreate(&done);
  for (int i = 0; i < n; ++i) {
    if (!fetch(values))
      break;
    cudaMemcpyToSymbol(gain, values, sizeof values); // expect: autoprof-copy-synchronous; message: in each iteration
    step<<<1, 1, 0, s[i & 1]>>>(x);
    cudaEventRecord(done, s[i & 1]);
    cudaEventSynchronize(done); // expect: autoprof-sync-in-loop; advice: keep the order without the host; no advice: fetch; message: in each iteration
  }
}

// The event of one stream: the default stream does not wait for it.
void single(float *x, cudaEvent_t done, int n) {
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  float values[3] = {};
  for (int i = 0; i < n; ++i) {
    cudaMemcpyToSymbol(gain, values, sizeof values); // expect: autoprof-copy-synchronous
    step<<<1, 1, 0, s>>>(x);
    cudaEventRecord(done, s);
    cudaEventSynchronize(done); // expect: autoprof-sync-in-loop; no advice: wait once
  }
}

void unseen(float *x, float *h, cudaEvent_t done, cudaStream_t s, int n) {
  cudaMallocHost(&h, 64);
  float values[3] = {}, sum = 0;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaMemcpyAsync(h, x, 64, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop
    fetch(values);
    step<<<1, 1, 0, s>>>(x);
    sum += h[0];
  }
}

// A flag of the program is a condition, whatever it is.
bool enabled();
void asked(float *x, cudaStream_t s, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    if (!enabled())
      continue;
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop; message: in some iterations
  }
}
