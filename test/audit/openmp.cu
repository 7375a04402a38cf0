// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands in OpenMP's regions: loops, conditions, changes of variables, and
// a function that is passed and called there.
// RUN: %python %S/check_rules.py %autoprof audit --format=json -- %clang_cuda -fopenmp -fsyntax-only -- %s
#include <functional>
#include <memory>
#include <vector>

__global__ void step(float *x) { *x += 1; }

struct Part {
  float *Host, *Data;
};
template <typename T>
void forParts(const std::vector<std::unique_ptr<T>> &All,
              const std::function<void(T *)> &Use) {
#pragma omp parallel for num_threads(2)
  for (size_t I = 0; I < All.size(); ++I)
    Use(All[I].get());
}
struct Solver {
  std::vector<std::unique_ptr<Part>> Parts;
  // The function that is given here is not called in the loop.
  void readBack() {
    forParts<Part>(Parts, [](Part *P) {
      cudaMemcpy(P->Host, P->Data, 64, cudaMemcpyDeviceToHost);
    });
  }
  void advance() {
    forParts<Part>(Parts, [](Part *P) { step<<<1, 1>>>(P->Data); });
  }
};
void solve(Solver &S, int steps) {
  for (int i = 0; i < steps; ++i)
    S.advance();
  S.readBack();
}

void inRegion(float *h, float *d, int steps, bool checks) {
#pragma omp parallel
  {
    for (int i = 0; i < steps; ++i) {
      step<<<1, 1>>>(d);
      if (checks)
        cudaMemcpy(h, d, 64, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous medium; message: if checks
    }
  }
}
