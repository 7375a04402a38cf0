// An explicit wait in a launching loop.
// RUN: %check_rules
#include <chrono>
#include <cstdio>
#include <vector>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t e = (call);                                                    \
    if (e != cudaSuccess)                                                      \
      return;                                                                  \
  } while (0)

__global__ void step(float *x) { *x += 1; }

void each(float *x, int steps, cudaStream_t s) {
  cudaDeviceSynchronize(); // once
  for (int i = 0; i < steps; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
  }
  while (steps-- > 0) {
    step<<<1, 1, 0, s>>>(x);
    CHECK(cudaStreamSynchronize(s)); // expect: autoprof-sync-in-loop medium
  }
  step<<<1, 1, 0, s>>>(x);
  cudaStreamSynchronize(s); // once, after the loop
}

void nested(float *x, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      step<<<1, 1>>>(x);
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    }
}

void sometimes(float *x, int n, bool verbose) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    if (i % 100 == 0)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    if (verbose)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    if (i == 0)
      cudaDeviceSynchronize(); // once
    if (*x > 7) {
      cudaDeviceSynchronize(); // the loop ends here
      break;
    }
    if (cudaGetLastError() != cudaSuccess) {
      cudaDeviceSynchronize(); // on the way out
      return;
    }
  }
}

// Reached through calls: the loop is the caller's.
static void finish(cudaStream_t s) {
  cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop medium
}
static void forward(float *x, cudaStream_t s) {
  step<<<1, 1, 0, s>>>(x);
  finish(s);
}
void train(float *x, cudaStream_t s, int steps) {
  for (int i = 0; i < steps; ++i)
    forward(x, s);
}

// Loops that do not launch, or hardly loop.
void quiet(std::vector<cudaStream_t> streams, float *x, int n) {
  for (cudaStream_t s : streams)
    cudaStreamSynchronize(s);
  for (int i = 0; i < 3; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize();
  }
  do {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize();
  } while (0);
  for (int device = 0; device < n; ++device) {
    cudaSetDevice(device);
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize();
  }
}

// Calls that do not wait.
void queries(float *x, cudaStream_t s, cudaEvent_t e, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaEventRecord(e, s);
    cudaStreamWaitEvent(s, e, 0);
    cudaStreamQuery(s);
  }
}

// The user's function with a similar name.
namespace mine {
void cudaDeviceSynchronize() {}
} // namespace mine
void similar(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    mine::cudaDeviceSynchronize();
  }
}

// Virtual: which function it is, is not known.
struct Model {
  virtual void end() {}
  virtual ~Model() = default;
};
struct Waiting : Model {
  void end() override { cudaDeviceSynchronize(); }
};
void perhaps(Model &m, float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    m.end();
  }
}

// An event of an earlier iteration bounds how far the CPU runs ahead.
void ahead(float *x, cudaStream_t s, cudaEvent_t *done, int n) {
  for (int i = 0; i < n; ++i) {
    if (i > 1)
      cudaEventSynchronize(done[i % 2]);
    step<<<1, 1, 0, s>>>(x);
    cudaEventRecord(done[i % 2], s);
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaEventRecord(done[0], s);
    cudaEventSynchronize(done[0]); // expect: autoprof-sync-in-loop medium
  }
}

// Templates that nobody instantiates: which kernel it is depends on them.
template <class T> __global__ void fill(T *dst, int n) { *dst = n; }
template <class T> struct Filler {
  template <class K> void run(T *x, int n, K kernel) {
    for (int i = 0; i < n; ++i) {
      fill<<<1, 1>>>(x, n);
      fill<T><<<1, 1>>>(x, n);
      kernel<<<1, 1>>>(x, n);
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
    }
  }
};
