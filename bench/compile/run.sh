#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Measures the cost of the plugin: whole compilations (host and device side)
# with and without it, in turn, and nvcc's time for comparison.
#
#     bench/compile/run.sh BUILD [ROUNDS] [FILE.cu...]
#
# Prints, for each file, the median seconds of each and the median of the
# ratios of pairs. Without files: a small one, a Thrust-heavy one, a
# template-heavy one, and the sources of examples/mlp_train.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "$1")
rounds=${2:-9}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- "$here"/inputs/*.cu "$here"/../../examples/mlp_train/*.cu
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
cuda=$(cached AUTOPROF_CUDA_PATH)
clang=("$(command -v clang++-22 || echo /usr/lib/llvm-22/bin/clang++)" -std=c++17 -O2 --cuda-gpu-arch=sm_90
  -Wno-unknown-cuda-version "--cuda-path=$cuda" -isystem "$cuda/include/cccl" -c -o /dev/null)
nvcc=("$cuda/bin/nvcc" -std=c++17 -O2 -arch=sm_90 -c -o /dev/null)

seconds() { # COMMAND...
  local begin
  begin=$(date +%s%N)
  "$@" 2>&3
  echo $(($(date +%s%N) - begin))
}

# The compilers' messages would clutter the table; they are shown if one fails.
messages=$(mktemp)
exec 3>"$messages"
trap '[ $? -eq 0 ] || cat "$messages" >&2; rm -f "$messages"' EXIT
for file; do
  {
    "${clang[@]}" "-fplugin=$build/lib/autoprof.so" "$file" # Load the files into the page cache.
    "${nvcc[@]}" "$file"
  } 2>&3
  for ((round = 0; round < rounds; ++round)); do
    echo "$(seconds "${clang[@]}" "$file") $(seconds "${clang[@]}" "-fplugin=$build/lib/autoprof.so" "$file") $(seconds "${nvcc[@]}" "$file")"
  done | python3 -c '
import statistics, sys
rounds = [tuple(map(int, line.split())) for line in sys.stdin]
plain, plugin, nvcc = (statistics.median(times) / 1e9 for times in zip(*rounds))
ratios = sorted(b / a for a, b, _ in rounds)
print("%-20s clang %7.3f s  with the plugin %7.3f s  ratio %.3f (%.3f to %.3f, %d pairs)  nvcc %7.3f s" % (
    sys.argv[1].rsplit("/", 1)[-1], plain, plugin, statistics.median(ratios), ratios[0], ratios[-1], len(rounds), nvcc))
' "$file"
done
