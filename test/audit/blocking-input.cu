// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that blocks until there is input: the previous iteration's result
// would have to wait for the next input.
// RUN: %check_rules
#include <condition_variable>
#include <future>
#include <mutex>
#include <sys/socket.h>

__global__ void step(float *x) { *x += 1; }
void reply(float y);

struct Queue {
  std::mutex m;
  std::condition_variable cv;
  int size = 0;
  void pop() {
    std::unique_lock<std::mutex> l(m);
    cv.wait(l, [this] { return size > 0; });
    --size;
  }
};

void server(Queue &q, float *x, float *h, cudaStream_t s) {
  cudaMallocHost(&h, 64);
  for (;;) {
    {
      std::unique_lock<std::mutex> l(q.m);
      q.cv.wait(l, [&] { return q.size > 0; });
    }
    step<<<1, 1, 0, s>>>(x);
    cudaMemcpyAsync(h, x, 1024, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop low; advice: keep the wait; no advice: previous iteration; advice: may be too late
    reply(h[0]);
  }
}
void inCallee(Queue &q, float *x, float *h, cudaStream_t s) {
  cudaMallocHost(&h, 64);
  for (;;) {
    q.pop();
    step<<<1, 1, 0, s>>>(x);
    cudaMemcpyAsync(h, x, 1024, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop low; no advice: previous iteration
    reply(h[0]);
  }
}
void socket(int fd, char *buffer, float *x, float *h, cudaStream_t s) {
  cudaMallocHost(&h, 64);
  while (recv(fd, buffer, 64, 0) > 0) {
    step<<<1, 1, 0, s>>>(x);
    cudaMemcpyAsync(h, x, 1024, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop low; no advice: previous iteration
    reply(h[0]);
  }
}

// A lock, and a wait before the loop.
void locks(Queue &q, float *x, float *h, cudaStream_t s, int n) {
  cudaMallocHost(&h, 64);
  q.pop();
  for (int i = 0; i < n; ++i) {
    std::lock_guard<std::mutex> l(q.m);
    step<<<1, 1, 0, s>>>(x);
    cudaMemcpyAsync(h, x, 1024, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop medium; advice: previous iteration
    reply(h[0]);
  }
}
