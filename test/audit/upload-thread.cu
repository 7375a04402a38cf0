// A wait for the device may order work that another thread queues.
// RUN: %check_rules
#include <atomic>
#include <thread>

__global__ void step(float *x) { *x += 1; }

struct Feeder {
  float *x, *h;
  cudaStream_t s;
  std::atomic<int> fed{0}, used{0};
  std::thread thread;
  Feeder() {
    cudaMalloc(&x, 64);
    cudaMallocHost(&h, 64);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    thread = std::thread([this] { run(); });
  }
  void run() {
    for (int i = 1; i < 1000; ++i) {
      while (used.load() < i - 1) {
      }
      cudaMemcpyAsync(x, h, 64, cudaMemcpyHostToDevice, s);
      fed = i;
    }
  }
  void await(int i) {
    while (fed.load() < i) {
    }
  }
};

int main() {
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  Feeder feeder;
  for (int i = 1; i < 1000; ++i) {
    feeder.await(i);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    step<<<1, 1, 0, s>>>(feeder.x);
    feeder.used = i;
  }
  feeder.thread.join();
}
