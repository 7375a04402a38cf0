#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The cost of recording per launch of a CUDA graph, compared with CUPTI alone
# and, if it is in the PATH, Nsight Systems. On a GPU machine with nvcc:
#
#     bench/runtime/graphs.sh BUILD [rounds] [kernels...]
#
# Each round runs each mode once, in turn. The table has medians over the
# rounds, and the median ratio of the step to the plain step of the same round.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "$1")
rounds=${2:-7}
shift $(($# < 2 ? $# : 2))
sizes=${*:-5 100}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cuda=$(dirname "$(dirname "$(realpath "$(command -v nvcc)")")")
cupti=
for folder in "$cuda"/{extras/CUPTI/lib64,lib64,lib,targets/x86_64-linux/lib}; do
  [ -e "$folder/libcupti.so" ] && cupti=$folder && break
done
nvcc -std=c++17 -O2 -arch=native "$here/graphs.cu" -o graphs
nvcc -std=c++17 -O2 -shared -Xcompiler -fPIC -I"$cuda/extras/CUPTI/include" "$here/cupti.cpp" -o bare.so \
  -L"$cupti" -lcupti -Xlinker -rpath="$cupti"

measure() { # MODE COMMAND...
  local mode=$1
  shift
  echo "$size $mode $("$@" "$size" | grep -E '^[0-9. ]+$')" | tee -a results
  rm -f ./*.pftrace
}
run="$build/bin/autoprof run -o t.pftrace"
for ((round = 0; round < rounds; ++round)); do
  for size in $sizes; do
    measure plain ./graphs
    measure bare-graph env CUDA_INJECTION64_PATH="$work/bare.so" BARE_GRAPHS=1 ./graphs
    measure bare-node env CUDA_INJECTION64_PATH="$work/bare.so" ./graphs
    measure full-graph $run -- ./graphs
    measure full-node $run --graphs=node -- ./graphs
    measure light+calls $run --mode=light+calls -- ./graphs
    if command -v nsys > /dev/null; then
      for records in graph node; do
        measure nsys-$records nsys profile -t cuda -s none --cuda-graph-trace=$records --force-overwrite true -o nsys ./graphs
      done
    fi
  done
done
python3 - << 'END_OF_TABLE'
import statistics

runs = {}
for line in open("results"):
    size, mode, launch, step = line.split()
    runs.setdefault((size, mode), []).append((float(launch), float(step)))
print("| kernels | mode | launch, us | step, us | step / plain |\n|---|---|---|---|---|")
for (size, mode), rows in runs.items():
    ratios = [row[1] / plain[1] for row, plain in zip(rows, runs[size, "plain"])]
    print("| %s | %s | %.1f | %.1f | %.3f |" % (size, mode, *(statistics.median(column) for column in zip(*rows)), statistics.median(ratios)))
END_OF_TABLE
