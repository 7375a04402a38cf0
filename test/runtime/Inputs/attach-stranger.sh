#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# attach-stranger.sh AUTOPROF RUNTIME PYTHON: another user asks a program of ours.
env LD_PRELOAD="$2" AUTOPROF_OUTPUT=stranger.pftrace AUTOPROF_CAPTURE=manual ./host endless &
pid=$!
for i in $(seq 100); do
  "$1" attach $pid > /dev/null 2>&1 && break
  sleep 0.1
done
"$3" "$(dirname "$0")/stranger.py" "$1" $pid 2>&1 | sed "s/$pid/PID/"
"$1" attach $pid | sed "s/$pid/PID/"
kill $pid
