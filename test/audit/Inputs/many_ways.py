# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""many_ways.py N: a loop from which 2^N ways lead to one wait."""
import sys

depth = int(sys.argv[1])
print("__global__ void work() {}\nint choose(int);")
print(f"void f{depth}(int a) {{ work<<<1, 1>>>(); cudaDeviceSynchronize(); }}")
for level in reversed(range(depth)):
    print(f"void f{level}(int a) {{ if (choose(a)) f{level + 1}(a); else f{level + 1}(a + 1); }}")
print("int main() { for (int i = 0; i < 10; i++) f0(i); }")
