# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes main.cpp and as many headers as the first argument says. Each has a class
and a few functions, and every N-th (the second argument, 1) a site."""
import pathlib
import sys

count, every = int(sys.argv[1]), int((sys.argv + ["1"])[2])
for i in range(count):
    body = "cudaDeviceSynchronize()" if i % every == 0 else "0"
    pathlib.Path(f"h{i}.h").write_text(f"""#ifndef H{i}
#define H{i}
struct Shape{i} {{ int Width, Height; int area() const {{ return Width * Height; }} }};
inline int scale{i}(const Shape{i} &S, int By) {{ return S.area() * By; }}
inline int f{i}() {{ return {body}; }}
#endif
""")
pathlib.Path("main.cpp").write_text(
    "#include <cuda_runtime_api.h>\n" + "".join(f'#include "h{i}.h"\n' for i in range(count))
    + f"int main() {{ return f0() + f{count - 1}(); }}\n")
