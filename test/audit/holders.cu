// A smart pointer as a condition says whether there is an object.
// RUN: %check_rules
#include <deque>
#include <functional>
#include <memory>
#include <optional>

__global__ void step(float *x);

struct Buffer {
  float *Data = nullptr;
  Buffer() { cudaMalloc(&Data, 400); }
  ~Buffer() { cudaFree(Data); } // expect: autoprof-memory-free-in-destructor high
};

struct Patch {
  void advance(float *x) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
  }
};

struct Solver {
  std::unique_ptr<Patch> Refined;
  std::unique_ptr<Buffer> Scratch;
  std::shared_ptr<Patch> Coarse;
  std::function<void(float *)> Hook;
  std::optional<Patch> Last;

  void grow(float *x) {
    if (!Scratch) {
      Scratch = std::make_unique<Buffer>();
      cudaMemset(x, 0, 4);
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    }
  }

  void run(float *x, int n) {
    for (int i = 0; i < n; ++i) {
      grow(x);
      step<<<1, 1>>>(x);
      if (Refined)
        Refined->advance(x);
      step<<<1, 1>>>(x);
      if (Coarse != nullptr)
        cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
      step<<<1, 1>>>(x);
      if (Hook)
        cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
      step<<<1, 1>>>(x);
      if (Last.has_value())
        cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
      if (i % 8 == 0)
        Last.emplace();
    }
  }
};

// What is moved out of a list is not freed when its place in the list is.
void schedule(float *x, int n, std::deque<std::unique_ptr<Buffer>> &waiting,
              std::deque<std::unique_ptr<Buffer>> &active) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    active.push_back(std::move(waiting.front()));
    waiting.pop_front();
  }
}

// What has no name and is moved says nothing of others.
std::unique_ptr<Buffer> make();
void replace(float *x, int n, std::deque<std::unique_ptr<Buffer>> &all) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    all.push_back(std::move(make()));
    all.pop_front();
  }
}

int main() {
  Solver s;
  float *x;
  cudaMalloc(&x, 4);
  s.run(x, 1000);
}
