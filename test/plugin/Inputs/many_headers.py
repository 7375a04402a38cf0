# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes main.cpp and as many headers as its argument says, one site in each."""
import pathlib
import sys

count = int(sys.argv[1])
for i in range(count):
    pathlib.Path(f"h{i}.h").write_text(
        f"#ifndef H{i}\n#define H{i}\ninline int f{i}() {{ return cudaDeviceSynchronize(); }}\n#endif\n")
pathlib.Path("main.cpp").write_text(
    "#include <cuda_runtime_api.h>\n" + "".join(f'#include "h{i}.h"\n' for i in range(count))
    + "int main() { return f0() + f" + str(count - 1) + "(); }\n")
