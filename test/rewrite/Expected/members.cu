// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Initialisers that a class gives its members: each is written once and runs in
// every constructor and aggregate that says nothing else.
// RUN: %check_rewrite --run --strict --std=c++20
#include <cstdio>

int failed(cudaError_t e) { return e == cudaSuccess; }

struct Two {
  cudaError_t error = (AP_SITE(0xcf6bf881fd19f6fd) cudaFree(nullptr));
  int number = failed((AP_SITE(0x23f4117e9d3bb73d) cudaDeviceSynchronize()));
  Two() {}
  explicit Two(int n) : number(n) {}
  Two(const Two &other) : number(other.number) {}
};

struct Heir : Two {
  using Two::Two;
  unsigned bits : 3 = (AP_SITE(0x6b466365157cc99e) cudaMemset(nullptr, 1, 4)) == cudaSuccess;
};

struct Aggregate {
  int first;
  int second = failed((AP_SITE(0xd7b1562b4b1f86a3) cudaMemset(nullptr, 2, 4)));
};

union Either {
  int number = failed((AP_SITE(0x1529c90c492bdff0) cudaFree(nullptr)));
  float other;
};

template <class T> struct Template {
  T value = T(failed((AP_SITE(0x436143e792c266d0) cudaMemset(nullptr, 3, sizeof(T)))));
  T (*lambda)() = [] { return T(failed((AP_SITE(0xe0849dced5e78241) cudaDeviceSynchronize()))); };
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
AP_TABLE("0xcf6bf881fd19f6fd|free|10|23|members.cu|Two|cudaFree;0x23f4117e9d3bb73d|sync|11|23|members.cu|Two|cudaDeviceSynchronize;0x6b466365157cc99e|set|19|23|members.cu|Heir|cudaMemset;0xd7b1562b4b1f86a3|set|24|23|members.cu|Aggregate|cudaMemset;0x1529c90c492bdff0|free|28|23|members.cu|Either|cudaFree;0x436143e792c266d0|set|33|22|members.cu|Template|cudaMemset;0xe0849dced5e78241|sync|34|40|members.cu|Template|cudaDeviceSynchronize;")
