#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The cost of recording per launch, on a GPU machine with nvcc:
#
#     bench/runtime/run.sh path/to/libautoprof.so [rounds]
#
# Processes differ by some 10 %, so every round runs each mode once, in turn.
# The table shows the median over the rounds, its spread, and what each mode
# adds to the plain program of the same round; then CPU time per launch of the
# runtime's threads, and of the driver's and CUPTI's, and peak memory. Each run
# is printed when it ends, so that nothing is lost if the script is stopped.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
runtime=$(realpath "${1:-$root/build/release/lib/libautoprof.so}")
rounds=${2:-15}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cuda=$(dirname "$(dirname "$(realpath "$(command -v nvcc)")")")
cupti=
for folder in "$cuda"/{extras/CUPTI/lib64,lib64,lib,targets/x86_64-linux/lib}; do
  [ -e "$folder/libcupti.so" ] && cupti=$folder && break
done
nvcc -std=c++17 -O2 -arch=native -I"$root/include" "$here/launches.cu" -o launches
printf 'namespace autoprof {}\n#define AP_SITE(id)\n#define AP_RANGE(id)\n#define AP_TABLE(rows)\n' > plain.h
sed 's,<autoprof/probe.h>,"plain.h",' "$here/launches.cu" > plain.cu
nvcc -std=c++17 -O2 -arch=native -I. plain.cu -o plain
nvcc -std=c++17 -O2 -shared -Xcompiler -fPIC -I"$cuda/extras/CUPTI/include" "$here/cupti.cpp" -o bare.so \
  -L"$cupti" -lcupti -Xlinker -rpath="$cupti"

measure() { # MODE COMMAND...
  local mode=$1
  shift
  echo "$mode $("$@")" | tee -a results
  rm -f ./*.pftrace
}
for ((round = 0; round < rounds; ++round)); do
  measure plain ./plain
  measure probes ./launches
  measure nvtx env LD_PRELOAD="$runtime" ./launches
  measure light env LD_PRELOAD="$runtime" AUTOPROF_MODE=light AUTOPROF_OUTPUT=t.pftrace ./launches
  measure light+calls env LD_PRELOAD="$runtime" AUTOPROF_MODE=light+calls AUTOPROF_OUTPUT=t.pftrace ./launches
  # Before the window was ever open, and after it was open and has closed.
  measure before env LD_PRELOAD="$runtime" AUTOPROF_RANGE=burst AUTOPROF_STEPS=9999: AUTOPROF_LOG_LEVEL=quiet AUTOPROF_OUTPUT=t.pftrace ./launches
  measure after env LD_PRELOAD="$runtime" AUTOPROF_RANGE=burst AUTOPROF_STEPS=5:10 AUTOPROF_OUTPUT=t.pftrace ./launches
  measure bare-kernels env CUDA_INJECTION64_PATH="$work/bare.so" BARE_KERNELS=1 ./launches
  measure bare-cupti env CUDA_INJECTION64_PATH="$work/bare.so" ./launches
  measure full env LD_PRELOAD="$runtime" AUTOPROF_OUTPUT=t.pftrace ./launches
  measure stacks env LD_PRELOAD="$runtime" AUTOPROF_MODE=full+stacks AUTOPROF_OUTPUT=t.pftrace ./launches
  measure compressed env LD_PRELOAD="$runtime" AUTOPROF_COMPRESS=1 AUTOPROF_OUTPUT=t.pftrace ./launches
  if command -v nsys > /dev/null; then # Its own messages go to standard output, too.
    measure nsys bash -c 'nsys profile -t cuda -s none --force-overwrite true -o nsys ./launches 2> /dev/null | grep -E "^[0-9. ]+$"'
  fi
done

AUTOPROF_OUTPUT=size.pftrace LD_PRELOAD=$runtime ./launches 200 0 > /dev/null
AUTOPROF_OUTPUT=packed.pftrace AUTOPROF_COMPRESS=1 LD_PRELOAD=$runtime ./launches 200 0 > /dev/null
echo "size $(stat -c %s size.pftrace) $(stat -c %s packed.pftrace) $((220 * 500))" > size
python3 - << 'END'
import statistics

runs = {}  # mode: a row per round; ns per launch, ns per wait, ms of our and of other threads, MiB
for line in open("results"):
    mode, *numbers = line.split()
    runs.setdefault(mode, []).append([float(n) for n in numbers])
launches = 220 * 500


def median(mode, column):
    return statistics.median(row[column] for row in runs[mode])


def added(mode, column):
    return statistics.median(a[column] - b[column] for a, b in zip(runs[mode], runs["plain"]))


print("| mode | ns per launch | min | max | added to plain, same round | ns per wait | added "
      "| our threads, ns per launch | other threads, ns per launch | memory, MiB |\n|---|---|---|---|---|---|---|---|---|---|")
for mode, rows in runs.items():
    print("| %s | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f |" % (
        mode, median(mode, 0), min(r[0] for r in rows), max(r[0] for r in rows), added(mode, 0), median(mode, 1), added(mode, 1),
        median(mode, 2) * 1e6 / launches, median(mode, 3) * 1e6 / launches, median(mode, 4)))
ratio = [full[0] / bare[0] for full, bare in zip(runs["full"], runs["bare-cupti"])]
print("full / bare CUPTI kernel + runtime activity: %.3f (median of %d rounds)" % (statistics.median(ratio), len(ratio)))
_, size, packed, launches = open("size").read().split()
print("%.1f bytes a launch on disk, %.1f compressed" % (int(size) / int(launches), int(packed) / int(launches)))
END
