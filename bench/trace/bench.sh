#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Time and memory for reading a large trace, for analysing it, and for the
# whole report; with a Python that has pandas, compared with the same data
# in JSON, a tenth as much. Each line is one of five runs; the least CPU
# time counts.
#   bench/trace/bench.sh BUILD-FOLDER [millions of events, default 10] [PYTHON]
set -eu
build=$1
millions=${2:-10}
python=${3:-}
here=$(dirname "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ninja -C "$build" autoprof autoprof-simulate autoprof-read-trace > /dev/null

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
cat "$trace" > /dev/null # Load it into the page cache.
for _ in 1 2 3 4 5; do
  "$build/test/autoprof-read-trace" "$trace"
done
for format in json terminal; do
  for _ in 1 2 3 4 5; do
    python3 - "$build/bin/autoprof" "$trace" "$events" "$format" <<'END'
import resource, subprocess, sys, time
tool, trace, events, form = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
start = time.monotonic()
subprocess.run([tool, "report", "--format=" + form, trace], stdout=subprocess.DEVNULL, check=True)
wall = time.monotonic() - start
used = resource.getrusage(resource.RUSAGE_CHILDREN)
seconds = used.ru_utime + used.ru_stime
peak = used.ru_maxrss * 1024
print(f"report, {form}: {seconds:.2f} s of CPU ({wall:.2f} s), {events / seconds / 1e6:.2f} M events/s, "
      f"at most {peak / 1e6:.0f} MB = {peak / events:.1f} B/event, mapped pages included")
END
  done
done

if [ -n "$python" ]; then
  steps=$((steps / 10))
  simulate "$folder/tenth.pftrace" "$steps"
  "$build/bin/autoprof" convert "$folder/tenth.pftrace" "$folder/tenth.json"
  "$python" "$here/pandas_reading.py" "$folder/tenth.json" $((steps * 154))
fi
