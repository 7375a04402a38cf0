#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ring.sh AUTOPROF RUNTIME READER...: rings of programs that end, that are
# killed, and that are asked for what they hold.
autoprof=$1 runtime=$2
shift 2
reader=$*
describe() { # FILE: a piece that can be read alone
  size=$(stat -c %s "$1")
  [ "$size" -le 1600000 ] || echo "too large: $size"
  $reader "$1" > piece.txt || echo "broken"
  echo "$2: $(grep -c '^meta sites' piece.txt) sites, $(grep -c '^range work at src/host.cpp:18' piece.txt) ranges," \
    "$(grep -c 'unknown' piece.txt) unknown, $(grep -c '^meta end' piece.txt) end, $(grep -o '[0-9]* bytes left' piece.txt)"
}

await() { # COMMAND...: until it succeeds, however busy the machine is
  for _ in $(seq 300); do
    "$@" > /dev/null 2>&1 && return
    sleep 0.1
  done
  echo "never: $*"
}

echo "== ends"
env LD_PRELOAD="$runtime" AUTOPROF_OUTPUT=ends.pftrace AUTOPROF_MAX_SIZE=1M AUTOPROF_MODE=light ./host steady
echo "status $?"
describe ends.pftrace whole
ls ends*

env LD_PRELOAD="$runtime" AUTOPROF_OUTPUT=packed.pftrace AUTOPROF_MAX_SIZE=1M AUTOPROF_COMPRESS=1 AUTOPROF_MODE=light ./host steady
describe packed.pftrace packed

echo "== killed"
env LD_PRELOAD="$runtime" AUTOPROF_OUTPUT=killed.pftrace AUTOPROF_MAX_SIZE=1M AUTOPROF_MODE=light AUTOPROF_ATTACH=1 ./host endless &
pid=$!
await ls killed.older-$pid.pftrace
"$autoprof" attach $pid dump | sed "s/$pid/PID/"
kill -9 $pid
wait $pid 2> /dev/null
describe killed.pftrace newer
describe killed.older-$pid.pftrace older
describe killed.dump1.pftrace dumped
cat killed.older-$pid.pftrace killed.pftrace > together.pftrace
describe together.pftrace together

echo "== run"
"$autoprof" run --mode=light --max-size=1M -o run.pftrace -- ./host endless &
pid=$!
await sh -c 'ls run.older-*.pftrace'
kill $pid
wait $pid
echo "status $?"

echo "== no ring"
env LD_PRELOAD="$runtime" AUTOPROF_OUTPUT=none.pftrace AUTOPROF_MODE=light AUTOPROF_ATTACH=1 ./host steady &
pid=$!
await "$autoprof" attach $pid
"$autoprof" attach $pid dump 2>&1 | sed "s/$pid/PID/"
kill $pid
wait $pid 2> /dev/null
ls none*
