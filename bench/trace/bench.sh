#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Time and memory to read and analyse a large trace.
#   bench/trace/bench.sh BUILD-FOLDER [millions of events, default 10]
set -eu
build=$1
millions=${2:-10}
trace=$(mktemp)
trap 'rm -f "$trace"' EXIT
# A step of 50 kernels is 50 x (site + call + operation) + 4 events.
steps=$((millions * 1000000 / 154))
"$build/test/autoprof-simulate" "$trace" print "$steps" 50 5000
events=$((steps * 154))
size=$(stat -c %s "$trace")
echo "$events events, $((size / 1000000)) MB"
cat "$trace" > /dev/null # From memory, not from disk.
for _ in 1 2 3; do
  python3 - "$build/bin/autoprof" "$trace" "$events" "$size" <<'END'
import os, resource, subprocess, sys, time
tool, trace, events, size = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
start = time.monotonic()
subprocess.run([tool, "report", "--format=json", trace], stdout=subprocess.DEVNULL, check=True)
seconds = time.monotonic() - start
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
print(f"{seconds:.2f} s, {events / seconds / 1e6:.2f} M events/s, peak {peak / 1e6:.0f} MB"
      f" = {peak / events:.0f} B/event, of which the mapped file at most {size / events:.0f}")
END
done
