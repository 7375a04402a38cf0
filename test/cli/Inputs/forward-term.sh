#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SIGTERM to `autoprof run` reaches the program, whose status comes back.
"$1" run -o term.pftrace -- "$2" wait-for-term > term.txt 2> /dev/null &
run=$!
for _ in $(seq 100); do
  grep -q ready term.txt && break
  sleep 0.1
done
kill -TERM $run
wait $run
test $? = 42
