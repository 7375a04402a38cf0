// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_rewrite
__global__ void k() {}
int main() { k<<<1, 1>>>(); }
// the file ends in a comment without a newline