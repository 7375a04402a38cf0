# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a CUDA file that a page shows badly when it trusts its text: markup,
bytes that are no UTF-8, control characters, CRLF, tabs, and a long line with a
call at its end. Usage: hostile.py FILE
"""
import sys

LINES = [
    b"#include <cuda_runtime.h>",
    b"__global__ void step(float *x) { *x += 1; }",
    b"const char *a = \"</code><script>document.title='broken'</script>\";",
    b"const char *b = \"\xff\xfe\xc3( <b>&amp;\"; // \x01 \x1b[31m \xe2\x80\xae",
    b"#define CHECK(X) if (X) throw \"<img src=x onerror=1>\"",
    b"void train(float *d, float *h, int steps) {",
    b"\tfor (int i = 0; i < steps; ++i) { /* <!-- */",
    b"\t\tstep<<<1, 1>>>(d);",
    b"\t\tCHECK(cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice)); // ]]> \xc3\xa4",
    b"\t}",
    b"  /* " + b"\xc3\xa4" * 5000 + b" */ cudaDeviceSynchronize();",
    b"}",
]

with open(sys.argv[1], "wb") as file:
    file.write(b"\r\n".join(LINES) + b"\r\n")
