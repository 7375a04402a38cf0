#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Puts the recorder under load on a real GPU: many threads and streams, ten
# million launches, fork and exec, contexts, GPUs, graphs, a kill, a full disk,
# other tools. Needs bash, nvcc, python3, 3 GB of disk and a build:
#
#     test/gpu/stress.sh path/to/build [folder for the traces] [launches]
#
# Prints one line a check; exit status 1 when one fails, 77 without a GPU. Takes
# about 3 minutes.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$(realpath "${1:-$root/build/release}")
out=${2:-$(mktemp -d)}
mkdir -p "$out"
[ -e "$build/lib/libautoprof.so" ] || { echo "stress.sh: no $build/lib/libautoprof.so; build it first"; exit 2; }
command -v nvcc > /dev/null || { echo "stress.sh: nvcc is not on PATH"; exit 2; }
nvidia-smi -L > /dev/null 2>&1 || { echo "stress.sh: no GPU here"; exit 77; }
nvcc -std=c++17 -O1 -arch=native "$here/Inputs/stress.cu" -o "$out/stress" -lcuda || exit 2
exec python3 "$here/Inputs/stress.py" "$build" "$out" "${3:-10000000}"
