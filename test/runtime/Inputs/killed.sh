#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# killed.sh RUNTIME: kills ./host endless, hard, once it has recorded something.
env LD_PRELOAD="$1" AUTOPROF_OUTPUT=killed.pftrace ./host endless &
pid=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  [ "$(wc -c < killed.pftrace 2> /dev/null || echo 0)" -gt 5000 ] && break
  sleep 0.25
done
kill -9 $pid
wait $pid
exit 0
