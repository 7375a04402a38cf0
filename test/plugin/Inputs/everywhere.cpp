// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Probes in all kinds of places, in C++11 that clang does not warn of.
#include <cstdio>
#include <cuda_runtime_api.h>
#include <stdexcept>

namespace {

int *const D = nullptr;
int failed(cudaError_t Error) { return Error == cudaSuccess; }

struct Noisy {
  int Value;
  explicit Noisy(int Number) : Value(Number) { std::printf("made %d\n", Value); }
  Noisy(const Noisy &) = delete;
  Noisy &operator=(const Noisy &) = delete;
  ~Noisy() { std::printf("gone %d\n", Value + failed(cudaFree(D))); }
};

struct Members {
  cudaError_t Error = cudaMemset(D, 0, 4);
  int Number;
  explicit Members(int First) : Number(First + failed(cudaDeviceSynchronize())) {}
  Members() : Members(failed(cudaFree(D))) {}
};

template <class T> int inTemplate(T Value) {
  auto Lambda = [=](cudaError_t Error) { return Value + failed(Error) + failed(cudaFree(D)); };
  return static_cast<int>(Lambda(cudaMemset(D, 1, sizeof(T))));
}

int thrown(int Number) try {
  const Noisy Local(Number);
  if (failed(cudaDeviceSynchronize()) || Number > 1)
    throw std::runtime_error("thrown");
  return Number;
} catch (const std::runtime_error &Error) {
  std::printf("%s %d\n", Error.what(), failed(cudaFree(D)));
  return 3;
}

int jumps(int Number) {
  int Left = Number;
again:
  switch (failed(cudaFree(D)) + Left) {
  case 0:
    return failed(cudaMemset(D, 2, 4));
  default:
    for (int I = 0; I < Left; ++I) {
      if (failed(cudaDeviceSynchronize()))
        break;
      if (I > 1)
        continue;
      Left -= I;
    }
  }
  if (--Left >= 0)
    goto again;
  return Left;
}

const int BeforeMain = failed(cudaFree(D));

} // namespace

int main() {
  const Members One, Two(2);
  const int List[] = {failed(One.Error), failed(cudaMemset(D, 3, 4)), 2};
  int Sum = BeforeMain;
  for (const int Element : List)
    Sum += Element > 1 ? failed(cudaFree(D)) : Noisy(Element).Value;
  do {
    Sum += inTemplate(Sum) + inTemplate(static_cast<long>(Sum));
  } while (failed(cudaFree(D)));
  if (cudaMemset(D, 4, 4) != cudaSuccess && Sum > -100)
    Sum += thrown(1) + thrown(2) + jumps(2);
  std::printf("%d %d\n", Sum, Two.Number);
  return failed(cudaDeviceReset());
}
