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
. "$(dirname "$0")/Inputs/prologue.sh"
build=$(realpath "${1:-$root/build/release}")
prepare "$build/lib/libautoprof.so" "${2:-}"
compile stress.cu stress -lcuda
exec python3 "$here/Inputs/stress.py" "$build" "$out" "${3:-10000000}"
