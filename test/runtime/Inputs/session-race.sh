#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# session-race.sh RUNTIME AUTOPROF READER...: ./session-race in each of its ways,
# under a runtime that ThreadSanitizer watches.
runtime=$1 autoprof=$2
shift 2
reader=$*
LD_LIBRARY_PATH=.
TSAN_OPTIONS="halt_on_error=0 exitcode=66 $TSAN_OPTIONS"
export LD_LIBRARY_PATH TSAN_OPTIONS

# As 'autoprof run' sets them: ThreadSanitizer has a thread before the runtime
# is loaded, which then leaves the environment alone.
injected="CUDA_INJECTION64_PATH=$runtime NVTX_INJECTION64_PATH=$runtime LD_PRELOAD=$runtime"

measure() { # NAME VARIABLE=VALUE... PROGRAM ARGUMENTS...
  name=$1
  shift
  timeout 120 env AUTOPROF_OUTPUT="$name.pftrace" "$@" > "$name.out" 2> "$name.err"
  echo "$name: status $?"
  cat "$name.out" "$name.err"
  describe "$name"
}
describe() { # NAME
  $reader "$1.pftrace" > events.txt
  kernels=$(grep -c '^gpu' events.txt)
  sites=$(grep -c '^site' events.txt)
  case $1 in
    windows | late | ends | attached) [ "$kernels" -gt 0 ] && kernels=some; [ "$sites" -gt 0 ] && sites=some ;;
  esac
  echo "$1: $kernels kernels, $sites sites, $(grep -c '^problem' events.txt) problems," \
    "lost $(grep '^meta loss' events.txt | tail -1 | grep -o '[1-9][0-9]*' | wc -l)"
}

measure plain $injected ./session-race nothing
measure stacks $injected AUTOPROF_MODE=full+stacks ./session-race nothing
measure calls $injected AUTOPROF_MODE=light+calls ./session-race nothing
measure compressed $injected AUTOPROF_COMPRESS=1 ./session-race nothing
measure windows $injected AUTOPROF_CAPTURE=manual ./session-race windows
measure dumps $injected AUTOPROF_MAX_SIZE=1M ./session-race dumps
measure forks $injected ./session-race forks
measure late ./session-race late "$runtime"
measure ends $injected ./session-race ends

# Orders from outside while it runs, and as it ends.
env AUTOPROF_OUTPUT=attached.pftrace $injected AUTOPROF_CAPTURE=manual AUTOPROF_ATTACH=1 AUTOPROF_MAX_SIZE=1M \
  ./session-race ends > attached.err 2>&1 &
pid=$!
while kill -0 $pid 2> /dev/null; do
  for order in start status dump stop; do "$autoprof" attach $pid $order; done
done > attached.out 2>&1
wait $pid
echo "attached: status $?"
cat attached.err
grep -c 'is being recorded' attached.out
describe attached
