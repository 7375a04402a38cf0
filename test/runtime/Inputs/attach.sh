#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# attach.sh AUTOPROF RUNTIME PYTHON: starts and stops recording a running program
# twice, and asks processes that cannot be asked.
autoprof=$1 runtime=$2 python=$3

begin() { # NAME WHAT VARIABLE=VALUE...
  name=$1 what=$2
  shift 2
  env LD_PRELOAD="$runtime" LD_LIBRARY_PATH=. AUTOPROF_OUTPUT="$name.pftrace" FAKE_CUPTI=launches "$@" \
    ./window "$what" > "$name.out" 2> "$name.err" &
  pid=$!
}
ask() { "$autoprof" attach $pid "$@" 2>&1 | sed "s/$pid/PID/g"; }
await() { # until the program listens
  for i in $(seq 100); do
    "$autoprof" attach $pid > /dev/null 2>&1 && return
    sleep 0.1
  done
  echo "nobody listens"
}
finish() { kill $pid; wait $pid 2> /dev/null; }

echo "== live"
begin live endless AUTOPROF_CAPTURE=manual
await
ask status
ask start
ask start
sleep 0.5
ask stop
sleep 0.3
ask start
sleep 0.5
ask stop
"$autoprof" attach $pid status --format=json > status.json
"$python" "$(dirname "$0")/../../Inputs/validate.py" --complete status.json
sed "s/$pid/PID/g" status.json
"$autoprof" attach | grep "^$pid " | sed "s/$pid/PID/"
sleep 0.4
finish
"$python" "$(dirname "$0")/windows.py" live.pftrace

echo "== whole"
begin whole endless AUTOPROF_ATTACH=1
await
sleep 0.3
ask stop
sleep 0.4
finish
"$python" "$(dirname "$0")/windows.py" whole.pftrace

echo "== below"
env LD_LIBRARY_PATH=. FAKE_CUPTI=launches "$autoprof" run --capture=manual -o below.pftrace -- ./window endless 2> /dev/null &
pid=$!
await
"$autoprof" attach $pid start | sed 's/[0-9][0-9]*/PID/'
finish

echo "== cannot"
begin deaf endless A=B
sleep 0.5
ask start
finish
begin early no-cuda-yet AUTOPROF_ATTACH=1
sleep 0.3
ask start
finish
env LD_LIBRARY_PATH=. "$autoprof" run --attach -o earlier.pftrace -- ./window no-cuda-yet 2> /dev/null &
pid=$!
sleep 0.3
ask start
finish
sleep 60 &
pid=$!
ask start
finish
ask start
