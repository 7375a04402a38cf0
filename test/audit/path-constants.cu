// Constants travel along the path from a loop to the wait.
// RUN: %check_rules
#include <algorithm>
#include <functional>
__global__ void step(float *x) { *x += 1; }
// Defaults, through two functions.
static void sync(bool wait = false) {
  if (wait)
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
}
static void launch(float *x, bool wait = false) {
  step<<<1, 1>>>(x);
  sync(wait);
}
void defaults(float *x, int n) {
  for (int i = 0; i < n; ++i)
    launch(x);
}
void explicitly(float *x, int n) {
  for (int i = 0; i < n; ++i)
    launch(x, true);
}

// A null pointer constant.
static void copyBack(float *x, float *h) {
  if (h)
    cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost);
}
void null(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    copyBack(x, nullptr);
  }
}

// An early return for nothing is no condition.
static void chunk(float *x, float *h, int count) {
  if (count == 0)
    return;
  step<<<1, 1>>>(x);
  cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high; message: in each iteration
}
void chunks(float *x, float *h, int n) {
  for (int i = 0; i < n; i += 64)
    chunk(x, h, std::min(64, n - i));
}

// A callable from a factory, kept in a std::function.
static std::function<void()> finisher() {
  return [] { cudaDeviceSynchronize(); }; // expect: autoprof-sync-in-loop
}
struct Runner {
  std::function<void()> Finish = finisher();
  void run(float *x, int n) {
    for (int i = 0; i < n; ++i) {
      step<<<1, 1>>>(x);
      Finish();
    }
  }
};
void runs(Runner &r, float *x, int n) { r.run(x, n); }

// Functions in fields.
static void waitForAll() { cudaDeviceSynchronize(); } // expect: autoprof-sync-in-loop; same
struct Operations {
  void (*finish)();
};
static const Operations Table = {waitForAll};
void table(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    Table.finish();
  }
}

// A parameter that is replaced later.
static float sum(const float *x, const float *h, float *own) {
  if (h == nullptr) {
    step<<<1, 1>>>(own);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high; message: in each iteration of the loop at path-constants.cu:88
    h = own;
  } else if (x) {
    cudaDeviceSynchronize();
  }
  return h[0];
}
void replaced(float *own, int n) {
  for (int i = 0; i < n; ++i)
    sum(own, nullptr, own);
}
// In a loop, or behind a label, it may be replaced by then.
static void drain(float *x, float *h, int parts) {
  for (int i = 0; i < parts; ++i) {
    if (h)
      cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous medium
    step<<<1, 1>>>(x);
    h = x;
  }
}
static void retry(float *x, float *h, int parts) {
again:
  step<<<1, 1>>>(x);
  if (h)
    cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous low
  h = x;
  if (--parts)
    goto again;
}
void later(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    drain(x, nullptr, n);
    retry(x, nullptr, n);
  }
}
