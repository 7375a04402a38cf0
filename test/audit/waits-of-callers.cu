// Waits in helpers: what needs them is in the callers.
// RUN: %check_rules
#include <cstdio>
#include <cstdlib>

__global__ void step(float *w, const float *x);
float made(int i);

static void finishUpload(cudaStream_t s) {
  cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: a caller then; no advice: sees nothing
}
void twoStreams(int n) {
  float *w, *x, *hx;
  cudaStream_t s, up;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&up, cudaStreamNonBlocking);
  cudaMalloc(&w, 64);
  cudaMalloc(&x, 64);
  cudaMallocHost(&hx, 64);
  finishUpload(s);
  for (int i = 0; i < n; ++i) {
    hx[0] = made(i);
    cudaMemcpyAsync(x, hx, 64, cudaMemcpyHostToDevice, up);
    finishUpload(up);
    step<<<1, 1, 0, s>>>(w, x);
  }
}

static void finishStep(cudaStream_t s) {
  cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: sees nothing
}
void oneStream(int n, cudaStream_t s) {
  float *w, *x, *hx;
  cudaMalloc(&w, 64);
  cudaMalloc(&x, 64);
  cudaMallocHost(&hx, 64);
  for (int i = 0; i < n; ++i) {
    hx[0] = made(i);
    cudaMemcpyAsync(x, hx, 64, cudaMemcpyHostToDevice, s);
    step<<<1, 1, 0, s>>>(w, x);
    finishStep(s);
  }
}

struct Result {
  float *h;
  float value() const { return *h; }
};
static void finishRead(cudaStream_t s) {
  cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: sees nothing
}
float reads(Result &r, float *w, int n, cudaStream_t s) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(w, w);
    cudaMemcpyAsync(r.h, w, 4, cudaMemcpyDeviceToHost, s);
    finishRead(s);
    sum += r.value();
  }
  return sum;
}

// Checks of results access no results.
#define CHECK(x) check((x), __FILE__, __LINE__)
static void check(cudaError_t e, const char *file, int line) {
  if (e != cudaSuccess) {
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(e));
    std::exit(1);
  }
}
static void finishChecked(cudaStream_t s) {
  CHECK(cudaStreamSynchronize(s)); // expect: autoprof-sync-in-loop high; advice: wait once, after the loop
}
void checked(float *w, float *h, int n, cudaStream_t s) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(w, w);
    CHECK(cudaMemcpyAsync(h, w, 4, cudaMemcpyDeviceToHost, s));
    finishChecked(s);
  }
}

// Nothing is seen that needs it, but the callers are not followed completely.
static void finish(cudaStream_t s) {
  cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: sees nothing
}
void only(float *w, int n, cudaStream_t s) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(w, w);
    finish(s);
  }
}
static void stepAndWait(float *w, cudaStream_t s) {
  step<<<1, 1, 0, s>>>(w, w);
  cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: sees nothing
}
void steps(float *w, int n, cudaStream_t s) {
  for (int i = 0; i < n; ++i)
    stepAndWait(w, s);
}
