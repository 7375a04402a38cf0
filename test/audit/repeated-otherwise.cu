// Waits that no loop surrounds, and conditions that never hold, have a reason of
// their own.
// RUN: %autoprof audit --no-cache --format=json --fail-on=never -- %clang_cuda -fsyntax-only %s > %t.json
// RUN: %validate %t.json
// RUN: %python -c "import json, sys; [print(s['line'], s['silent']) for s in json.load(open(sys.argv[1]))['sites'] if s['waits'] == 'yes']" %t.json | FileCheck %s --match-full-lines
#include <algorithm>
#include <functional>

__global__ void step(float *x) { *x += 1; }

void passedOn(float *x, int *begin, int *end) {
  std::for_each(begin, end, [=](int) {
    step<<<1, 1>>>(x);
    // CHECK: [[#@LINE+1]] not-followed
    cudaDeviceSynchronize();
  });
}
void recursion(float *x, int n) {
  step<<<1, 1>>>(x);
  // CHECK-NEXT: [[#@LINE+1]] not-followed
  cudaDeviceSynchronize();
  if (n)
    recursion(x, n - 1);
}
void jumps(float *x, int n) {
again:
  step<<<1, 1>>>(x);
  // CHECK-NEXT: [[#@LINE+1]] not-followed
  cudaDeviceSynchronize();
  if (--n > 0)
    goto again;
}
void once(float *x) {
  step<<<1, 1>>>(x);
  // CHECK-NEXT: [[#@LINE+1]] outside-loops
  cudaDeviceSynchronize();
}
static void never(float *x, bool sync) {
  step<<<1, 1>>>(x);
  if (sync)
    // CHECK-NEXT: [[#@LINE+1]] never-reached
    cudaDeviceSynchronize();
}
void loop(float *x, int n) {
  for (int i = 0; i < n; ++i)
    never(x, false);
}
