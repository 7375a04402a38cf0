#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes a folder with everything that run.py needs, here and in bench/gains, to
# be copied to a machine with a GPU (which must have the toolkit's libcublas, but
# needs no compiler):
#
#     bench/predictions/build.sh BUILD OUT [pairs|gains]
#
# BUILD: a build folder with autoprof and the example, plain and instrumented.
# The programs are those of bench/predictions (pairs), of bench/gains, or both.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
programs=${3:-gains pairs}
gains=$(realpath "$here/../gains")
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
cuda=$(cached AUTOPROF_CUDA_PATH)
library=$(dirname "$(find -L "$cuda/lib64" "$cuda/lib" "$cuda/targets" -name libcudart_static.a 2>/dev/null | head -1)")
clang=("$(command -v clang++-22 || echo /usr/lib/llvm-22/bin/clang++)" -std=c++17 -O2 -g -Wall -Wextra -Werror)
device=(-Wno-unknown-cuda-version -Wno-pass-failed "--cuda-path=$cuda" -isystem "$cuda/include/cccl"
  "--cuda-gpu-arch=$(cached AUTOPROF_CUDA_ARCH)")

compile() { # SOURCES PROGRAM VARIANT OPTION...
  local sources=$1 program=$2 folder file
  folder=$out/$(basename "$sources")/$3
  shift 3
  mkdir -p "$folder"
  for file in "$sources"/*.cu; do
    "${clang[@]}" "${device[@]}" "$@" -c "$file" -o "$folder/$(basename "$file").o"
  done
  "${clang[@]}" "$folder"/*.o -o "$folder/$program" -static-libstdc++ -static-libgcc \
    "-L$library" "-Wl,-rpath,$library" -Wl,--as-needed -lcublas -lcudart_static -ldl -lrt -pthread
  rm "$folder"/*.o
}
both_variants() { # SOURCES PROGRAM
  compile "$1" "$2" plain
  compile "$1" "$2" instrumented "-fplugin=$build/lib/autoprof.so"
  cp "$1"/*.py "$out/$(basename "$1")/"
}

mkdir -p "$out/bin" "$out/lib"
cp "$build/bin/autoprof" "$out/bin/"
cp "$build/lib/libautoprof.so" "$out/lib/"
if [[ $programs == *gains* ]]; then
  both_variants "$gains" gains
fi
if [[ $programs == *pairs* ]]; then
  both_variants "$here" pairs
  for variant in plain instrumented; do
    mkdir -p "$out/examples/mlp_train/$variant"
    cp "$build/examples/mlp_train/$variant/mlp_train" "$out/examples/mlp_train/$variant/"
  done
fi
