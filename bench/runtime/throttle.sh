#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What throttling of ranges costs and saves, on a GPU machine with nvcc:
#
#     bench/runtime/throttle.sh path/to/libautoprof.so [rounds]
#
# Each round runs the program without a recording, recorded without a limit, and
# recorded with it: ns per iteration, ns per launch before and after the loop, and
# the bytes of the trace.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
runtime=$(realpath "${1:-$root/build/release/lib/libautoprof.so}")
rounds=${2:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
nvcc -std=c++17 -O2 -arch=native -I"$root/include" "$here/throttle.cu" -o throttle

measure() { # MODE VARIABLE=VALUE...
  printf '%-10s' "$1"
  shift
  rm -f t.pftrace
  printf '%s %10s\n' "$(env "$@" ./throttle)" "$(stat -c %s t.pftrace 2> /dev/null || echo -)"
}
printf '%-10s%8s %8s %8s %10s\n' 'ns' iteration before after bytes
for ((round = 0; round < rounds; ++round)); do
  measure plain A=B
  measure 'no limit' LD_PRELOAD="$runtime" AUTOPROF_OUTPUT=t.pftrace AUTOPROF_THROTTLE=off
  measure limit LD_PRELOAD="$runtime" AUTOPROF_OUTPUT=t.pftrace
done
# Each launch in the loop must be in an iteration that is recorded.
rm -f t.pftrace
LD_PRELOAD="$runtime" AUTOPROF_OUTPUT=t.pftrace ./throttle > /dev/null
PYTHONPATH="$root/test/runtime/Inputs" python3 "$root/test/runtime/Inputs/throttle.py" t.pftrace |
  grep -c '^cudaLaunchKernel in 02:[0-9]*0000$'
