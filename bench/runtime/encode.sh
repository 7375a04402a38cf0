#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Bytes and CPU time for writing a recorded launch; no GPU is needed:
#
#     bench/runtime/encode.sh path/to/build
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$(realpath "${1:-$root/build/release}")
cuda=$(sed -n 's/^AUTOPROF_CUDA_PATH:PATH=//p' "$build/CMakeCache.txt")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
g++ -std=c++17 -O2 -I"$root/runtime" -I"$root/test/unit/runtime" -I"$root/include" -isystem "$cuda/include" -isystem "$cuda/extras/CUPTI/include" \
  "$here/encode.cpp" -o "$work/encode" "$build/runtime/libautoprof_runtime_objects.a" -ldl -pthread
"$work/encode" "$work/t.pftrace"
"$work/encode" "$work/t.pftrace" compressed
