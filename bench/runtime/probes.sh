#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The cost of probes and API calls, outside a window and inside one; no GPU is
# needed:
#
#     bench/runtime/probes.sh path/to/build
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "${1:-$here/../../build/release}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
g++ -std=c++17 -O2 -I"$build/include" "$here/probes.cpp" -o probes

measure() { # WHAT VARIABLE=VALUE...
  printf '%-36s' "$1"
  shift
  rm -f ./*.pftrace
  env "$@" ./probes 2> /dev/null
}
recorded=(LD_PRELOAD="$build/lib/libautoprof.so" AUTOPROF_OUTPUT=t.pftrace AUTOPROF_MODE=light)
printf '%-36s%8s %8s %8s\n' 'ns' probe range 'push+pop'
measure 'no runtime' A=B
measure 'outside of a window' "${recorded[@]}" AUTOPROF_DELAY=1h
measure 'outside, looking for another range' "${recorded[@]}" AUTOPROF_STEPS=9: AUTOPROF_RANGE=other
measure 'recorded' "${recorded[@]}" AUTOPROF_THROTTLE=off
measure 'ranges throttled' "${recorded[@]}"
