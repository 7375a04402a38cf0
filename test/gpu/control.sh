#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checks on a real GPU that recording can be switched on and off while a
# program runs. Needs bash, nvcc, python3 and a build:
#
#     test/gpu/control.sh path/to/build [folder for the traces]
#
# Prints one line a check; exit status 1 when one fails, 77 without a GPU.
. "$(dirname "$0")/Inputs/prologue.sh"
build=$(realpath "${1:-$root/build/release}")
prepare "$build/lib/libautoprof.so" "${2:-}"
compile control.cu control

# record NAME OPTIONS... -- ARGUMENTS...: the trace, output and status of a run.
record() {
  local name=$1 options=()
  shift
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  timeout 60 "$build/bin/autoprof" run -o "$name.pftrace" "${options[@]}" -- ./control "$@" > "$name.out" 2> "$name.err"
  echo $? > "$name.rc"
}

for end in return reset quick-exit _exit exit-in-thread; do
  ./control wait $end > "plain-$end.out"
  echo $? > "plain-$end.rc"
  record "closed-$end" --steps=10:15,30:35 --range=step -- wait $end
  record "never-$end" --delay=1h -- wait $end
done
record ahead --steps=10:15,30:35 --range=step -- ahead return
record open --steps=50: --range=step -- wait return
record profiler --capture=profiler-api -- wait profiler
record timed --delay=3s --duration=500ms -- wait long

record ring --max-size=1M -- wait long

timeout 60 "$build/bin/autoprof" run -o live.pftrace --capture=manual -- ./control wait long > live.out 2> live.err &
sleep 3
pid=$("$build/bin/autoprof" attach | sed -n 's,^\([0-9]*\) ./control .*,\1,p')
{
  "$build/bin/autoprof" attach "$pid" start
  sleep 0.5
  "$build/bin/autoprof" attach "$pid" stop
} > live.said 2>&1
wait $!
echo $? > live.rc

python3 "$here/Inputs/check_control.py" "$root/test/runtime/Inputs" "$out"
