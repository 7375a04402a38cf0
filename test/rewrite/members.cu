// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Initialisers that a class gives its members: each is written once and runs in
// every constructor and aggregate that says nothing else.
// RUN: %check_rewrite --run --strict --std=c++20
#include <cstdio>

int failed(cudaError_t e) { return e == cudaSuccess; }

struct Two {
  cudaError_t error = cudaFree(nullptr);
  int number = failed(cudaDeviceSynchronize());
  Two() {}
  explicit Two(int n) : number(n) {}
  Two(const Two &other) : number(other.number) {}
};

struct Heir : Two {
  using Two::Two;
  unsigned bits : 3 = cudaMemset(nullptr, 1, 4) == cudaSuccess;
};

struct Aggregate {
  int first;
  int second = failed(cudaMemset(nullptr, 2, 4));
};

union Either {
  int number = failed(cudaFree(nullptr));
  float other;
};

template <class T> struct Template {
  T value = T(failed(cudaMemset(nullptr, 3, sizeof(T))));
  T (*lambda)() = [] { return T(failed(cudaDeviceSynchronize())); };
};

int aggregates() {
  const Aggregate list[2] = {{1, 2}};
  const Aggregate alone{2};
  const Aggregate parenthesised(3);
  auto *many = new Aggregate[1]();
  const int sum = list[1].second + alone.second + parenthesised.second + many[0].second;
  delete[] many;
  return sum;
}

int main() {
  Two one, two(2), copy = two;
  Heir three, four(4);
  Either either{};
  Template<int> of_int;
  Template<long> of_long{3};
  std::printf("%d %d %d %d %d\n", one.number, copy.number, three.bits, four.number, either.number);
  return aggregates() + of_int.value + static_cast<int>(of_long.lambda());
}
