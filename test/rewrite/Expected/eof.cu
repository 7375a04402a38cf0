// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_rewrite
__global__ void k() {}
int main() {AP_RANGE(0xc28ace593e0c0d2d) AP_SITE(0xb95e484b420dbbc0) k<<<1, 1>>>(); }
// the file ends in a comment without a newline
AP_TABLE("0xc28ace593e0c0d2d|function|4|5|eof.cu|main|;0xb95e484b420dbbc0|launch|4|14|eof.cu|main|k;")
