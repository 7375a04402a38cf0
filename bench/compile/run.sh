#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the plugin costs a compilation: whole compilations (host and device
# side) with and without it, in turn.
#
#     bench/compile/run.sh BUILD [ROUNDS] [FILE.cu...]
#
# Prints, for each file, the median seconds of both and the median of the
# ratios of pairs. Without files: the sources of examples/mlp_train.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "$1")
rounds=${2:-9}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- "$here"/../../examples/mlp_train/*.cu
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
cuda=$(cached AUTOPROF_CUDA_PATH)
clang=("$(command -v clang++-22 || echo /usr/lib/llvm-22/bin/clang++)" -std=c++17 -O2 --cuda-gpu-arch=sm_90
  -Wno-unknown-cuda-version "--cuda-path=$cuda" -isystem "$cuda/include/cccl" -c -o /dev/null)

seconds() { # COMMAND...
  local begin
  begin=$(date +%s%N)
  "$@"
  echo $(($(date +%s%N) - begin))
}

for file; do
  "${clang[@]}" "-fplugin=$build/lib/autoprof.so" "$file" # From memory, not from disk.
  for ((round = 0; round < rounds; ++round)); do
    echo "$(seconds "${clang[@]}" "$file") $(seconds "${clang[@]}" "-fplugin=$build/lib/autoprof.so" "$file")"
  done | python3 -c '
import statistics, sys
pairs = [tuple(map(int, line.split())) for line in sys.stdin]
plain, plugin = (statistics.median(times) / 1e9 for times in zip(*pairs))
ratios = sorted(b / a for a, b in pairs)
print("%-40s %6.3f s plain %6.3f s with the plugin, ratio %.3f (%.3f to %.3f, %d pairs)" % (
    sys.argv[1].rsplit("/", 1)[-1], plain, plugin, statistics.median(ratios), ratios[0], ratios[-1], len(pairs)))
' "$file"
done
