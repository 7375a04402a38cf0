#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes a folder with everything that run.py needs, to be copied to a machine
# with a GPU (which must have the toolkit's libcublas, but needs no compiler):
#
#     bench/predictions/build.sh BUILD OUT
#
# BUILD: a build folder with autoprof and the example, plain and instrumented.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
cuda=$(cached AUTOPROF_CUDA_PATH)
library=$(dirname "$(find -L "$cuda/lib64" "$cuda/lib" "$cuda/targets" -name libcudart_static.a 2>/dev/null | head -1)")
clang=("$(command -v clang++-22 || echo /usr/lib/llvm-22/bin/clang++)" -std=c++17 -O2 -g -Wall -Wextra -Werror)
device=(-Wno-unknown-cuda-version "--cuda-path=$cuda" -isystem "$cuda/include/cccl"
  "--cuda-gpu-arch=$(cached AUTOPROF_CUDA_ARCH)")

compile() { # VARIANT OPTION...
  local folder=$out/predictions/$1 file
  shift
  mkdir -p "$folder"
  for file in "$here"/*.cu; do
    "${clang[@]}" "${device[@]}" "$@" -c "$file" -o "$folder/$(basename "$file").o"
  done
  "${clang[@]}" "$folder"/*.o -o "$folder/pairs" -static-libstdc++ -static-libgcc \
    "-L$library" "-Wl,-rpath,$library" -lcublas -lcudart_static -ldl -lrt -pthread
  rm "$folder"/*.o
}
compile plain
compile instrumented "-fplugin=$build/lib/autoprof.so"

mkdir -p "$out/bin" "$out/lib" "$out/examples"
cp "$build/bin/autoprof" "$out/bin/"
cp "$build/lib/libautoprof.so" "$out/lib/"
for variant in plain instrumented experiment; do
  mkdir -p "$out/examples/mlp_train/$variant"
  cp "$build/examples/mlp_train/$variant/mlp_train" "$out/examples/mlp_train/$variant/"
done
cp "$here"/*.py "$out/predictions/"
