// Constants that calls pass for conditions of the called function.
// RUN: %check_rules
__global__ void step(float *x) { *x += 1; }

// No call in a loop waits.
static void never(float *x, bool sync) {
  step<<<1, 1>>>(x);
  if (sync)
    cudaDeviceSynchronize();
}
static void byDefault(float *x, bool sync = false) {
  step<<<1, 1>>>(x);
  if (!sync)
    return;
  cudaDeviceSynchronize();
}

// The loop that waits is named, not the first one.
static void second(float *x, bool sync) {
  step<<<1, 1>>>(x);
  if (sync)
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
}

// Passed on, negated, compared, one part of a condition, not known.
static void inner(float *x, int level, bool quick) {
  step<<<1, 1>>>(x);
  if (level == 2 && !quick)
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  if (level == 3)
    cudaStreamSynchronize(0);
}
static void outer(float *x, int level) { inner(x, level, false); }
static void given(float *x, bool sync) {
  step<<<1, 1>>>(x);
  if (sync)
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
}

// The function changes its parameter, or is called through a pointer.
static void changed(float *x, int n, bool sync) {
  sync |= n > 10;
  step<<<1, 1>>>(x);
  if (sync)
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
}
static void pointed(float *x, bool sync) {
  for (int i = 0; i < 100; ++i) {
    step<<<1, 1>>>(x);
    if (sync)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
  }
}
using Function = void (*)(float *, bool);
Function chosen() { return pointed; }

// A loop of its own: every call passes false.
static void ownLoop(float *x, int n, bool sync) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    if (sync)
      cudaDeviceSynchronize();
  }
}

void calls(float *x, int n, bool flag) {
  for (int i = 0; i < n; ++i) {
    never(x, false);
    byDefault(x);
  }
  byDefault(x, true);
  for (int i = 0; i < n; ++i)
    second(x, false);
  for (int i = 0; i < n; ++i)
    second(x, true);
  for (int i = 0; i < n; ++i) {
    outer(x, 2);
    given(x, flag);
    changed(x, n, false);
  }
  pointed(x, false);
  ownLoop(x, n, false);
}
