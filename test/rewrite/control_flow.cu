// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls between jumps, and in statements that declare something in their heads.
// RUN: %check_rewrite --run --strict --clang-flag=-Wno-gnu-statement-expression --std=c++20
#include <cstdio>
#include <utility>
#include <vector>

__global__ void k(int *) {}
int failed(cudaError_t e) { return e == cudaSuccess; }

int heads(int *d) {
  int n = 0;
  if (cudaError_t e = cudaFree(d); failed(e))
    n += 1;
  else if (auto again = cudaMemset(d, 0, 4); again != cudaSuccess)
    n += 2;
  if (cudaDeviceSynchronize(); n > 1)
    n += 4;
  switch (cudaError_t e = cudaFree(d); failed(e)) {
  case 0:
    n += 8;
    break;
  default:
    cudaDeviceSynchronize();
  }
  switch (const int f = failed(cudaFree(d))) {
  case 0:
    n += f;
  }
  while (const int f = failed(cudaMemset(d, 1, 4)))
    n += f;
  for (std::pair<cudaError_t, int> p{cudaFree(d), 0}; p.second < 2; ++p.second, cudaMemset(d, p.second, 4))
    n += p.second;
  for (cudaError_t e = cudaFree(d); int i : {1, 2})
    n += i + failed(e);
  return n;
}

int likely(int *d, int n) {
  if (n > 0) [[likely]]
    cudaFree(d);
  else [[unlikely]] {
    cudaDeviceSynchronize();
  }
  if (n == 0) [[unlikely]]
    return failed(cudaFree(d));
  if (failed(cudaFree(d))) [[unlikely]] k<<<1, 1>>>(d);
  for (int i = 0; i < n; ++i) [[likely]]
    cudaMemset(d, i, 4);
  while (n-- > 0) [[likely]] {
    cudaMemset(d, n, 4);
  }
  switch (n) {
  [[likely]] case -1:
    cudaMemset(d, n, 4);
    [[fallthrough]];
  case 2: [[unlikely]]
    cudaMemset(d, 2, 4);
  }
  return n;
}

int past_declarations(int *d, int n) {
  switch (n) {
    int unused;
  case 0:
    unused = failed(cudaFree(d));
    return unused;
  case 1: {
    cudaError_t e = cudaMemset(d, 1, 4);
    n += failed(e);
    break;
  }
  case 2:
  case 3:
    if (n == 2) {
    case 4:
      n += 10;
      k<<<1, 1>>>(d);
    }
    break;
  default:
    cudaError_t last = cudaDeviceSynchronize();
    n += 20 + failed(last);
  }
  return n;
}

int values_of_blocks(int *d) {
  int n = ({ cudaError_t e = cudaFree(d); failed(e); });
  n += ({ k<<<1, 1>>>(d); failed(cudaDeviceSynchronize()); });
  if (({ cudaFree(d); }) == cudaSuccess)
    n += 2;
  ({ cudaDeviceSynchronize(); });
  const cudaError_t last = ({ for (int i = 0; i < 2; ++i) cudaMemset(d, i, 4); cudaGetLastError(); cudaFree(d); });
  return n + failed(last);
}

int jumps(int *d, int n) {
  if (n == 0)
    goto out;
  cudaMemset(d, 0, 4);
  if (failed(cudaFree(d)))
    goto out;
again:
  k<<<1, 1>>>(d);
  if (--n > 0)
    goto again;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (j == 1)
        continue;
      cudaMemset(d, i, 4);
      if (i + j == 3)
        goto out;
    }
  }
out:
  cudaDeviceSynchronize();
  return n;
}

int unwinding(int *d) {
  int n = 0;
  for (int i = 0; i < 2; ++i) {
    try {
      cudaMemset(d, i, 4);
      if (i)
        throw cudaFree(d);
      cudaDeviceSynchronize();
    } catch (cudaError_t e) {
      cudaFree(nullptr);
      n += failed(e) + 1;
    }
  }
  return n;
}

int main() {
  int *d = nullptr;
  int sum = heads(d) + likely(d, 0) + likely(d, 2) + values_of_blocks(d) + unwinding(d);
  for (int n = 0; n < 6; ++n)
    sum += past_declarations(d, n);
  sum += jumps(d, 0) + jumps(d, 2);
  std::printf("%d\n", sum);
}
