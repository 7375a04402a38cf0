#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Time and memory to read and analyse a large trace; with a Python that has
# pandas, beside what that takes for a tenth of the same data as JSON.
#   bench/trace/bench.sh BUILD-FOLDER [millions of events, default 10] [PYTHON]
set -eu
build=$1
millions=${2:-10}
python=${3:-}
here=$(dirname "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# A step of 50 kernels is 50 x (site + call + operation) + 4 events.
simulate() {
  "$build/test/autoprof-simulate" "$1" print "$2" 50 5000
}

steps=$((millions * 1000000 / 154))
trace=$folder/whole.pftrace
simulate "$trace" "$steps"
events=$((steps * 154))
size=$(stat -c %s "$trace")
echo "$events events, $((size / 1000000)) MB"
cat "$trace" > /dev/null # From memory, not from disk.
for _ in 1 2 3; do
  python3 - "$build/bin/autoprof" "$trace" "$events" <<'END'
import resource, subprocess, sys, time
tool, trace, events = sys.argv[1], sys.argv[2], int(sys.argv[3])
start = time.monotonic()
subprocess.run([tool, "report", "--format=json", trace], stdout=subprocess.DEVNULL, check=True)
seconds = time.monotonic() - start
used = resource.getrusage(resource.RUSAGE_CHILDREN)
peak = used.ru_maxrss * 1024
print(f"{seconds:.2f} s ({used.ru_utime + used.ru_stime:.2f} s of CPU), {events / seconds / 1e6:.2f} M events/s, "
      f"peak {peak / 1e6:.0f} MB = {peak / events:.0f} B/event")
END
done

if [ -n "$python" ]; then
  steps=$((steps / 10))
  simulate "$folder/tenth.pftrace" "$steps"
  "$build/bin/autoprof" convert "$folder/tenth.pftrace" "$folder/tenth.json"
  "$python" "$here/pandas_reading.py" "$folder/tenth.json" $((steps * 154))
fi
