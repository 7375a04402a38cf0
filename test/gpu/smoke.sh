#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checks the recorder on a real GPU. Needs bash, nvcc, python3 and a built
# libautoprof.so:
#
#     test/gpu/smoke.sh path/to/libautoprof.so [folder for the traces]
#
# Prints one line a check; exit status 1 when one fails, 77 without a GPU.
. "$(dirname "$0")/Inputs/prologue.sh"
runtime=$(realpath "${1:-$root/build/release/lib/libautoprof.so}")
prepare "$runtime" "${2:-}"

compile smoke.cu smoke
compile smoke.cu smoke-shared -cudart shared
compile graphs.cu graphs
compile smoke.cu smoke-linked \
  -Xlinker --no-as-needed -L"$(dirname "$runtime")" -lautoprof -Xlinker -rpath="$(dirname "$runtime")"

# record NAME ENV... -- PROGRAM ARGS...: the trace, output and status of a run.
record() {
  local name=$1 environment=()
  shift
  while [ "$1" != -- ]; do environment+=("$1"); shift; done
  shift
  local start
  start=$(date +%s%N)
  timeout 60 env AUTOPROF_OUTPUT="$name.pftrace" "${environment[@]}" "$@" > "$name.out" 2> "$name.err"
  echo "$? $((($(date +%s%N) - start) / 1000000))" > "$name.rc"
}
preload=LD_PRELOAD=$runtime
inject=CUDA_INJECTION64_PATH=$runtime
nvtx=NVTX_INJECTION64_PATH=$runtime # The driver has a thread: the runtime leaves the environment alone.

for what in each two-threads burst threads graph reset pending exit-in-thread _exit quick-exit abort \
            fork-after fork-before long not-injected; do
  ./smoke $what > "plain-$what.out" 2> /dev/null
  echo "$? 0" > "plain-$what.rc"
  record $what "$preload" -- ./smoke $what
done
record injected "$inject" "$nvtx" -- ./smoke each
record shared "$preload" -- ./smoke-shared each
record linked A=B -- ./smoke-linked each
record light "$preload" AUTOPROF_MODE=light+calls -- ./smoke two-threads
record disabled "$preload" AUTOPROF_DISABLE=1 -- ./smoke each
record late "$nvtx" -- ./smoke late "$runtime"
# Launches of graphs as one operation each or node by node, of all the run or of
# a part; and graphs that were there before the recorder.
record nodes "$preload" AUTOPROF_GRAPHS=node -- ./smoke graph
./graphs > plain-graphs.out 2> /dev/null
echo "$? 0" > plain-graphs.rc
record graphs "$preload" -- ./graphs
record graphs-nodes "$preload" AUTOPROF_GRAPHS=node -- ./graphs
record graphs-part "$preload" AUTOPROF_GRAPHS=graph AUTOPROF_DELAY=1ms AUTOPROF_DURATION=10s -- ./graphs
record graphs-late "$nvtx" -- ./graphs late "$runtime"
record tiny "$preload" AUTOPROF_MAX_MEMORY=8M -- ./smoke threads 64
record full-disk "$preload" AUTOPROF_OUTPUT=/dev/full -- ./smoke long
record no-folder "$preload" AUTOPROF_OUTPUT=none/t.pftrace -- ./smoke two-threads
cupti=$(ls "$(dirname "$(dirname "$(realpath "$(command -v nvcc)")")")"/{extras/CUPTI/lib64,lib64,lib}/libcupti.so.1[23] 2> /dev/null | head -1)
record subscribed "$preload" -- ./smoke subscribed "$cupti"
record no-cupti "$preload" AUTOPROF_CUPTI=/nowhere/libcupti.so -- ./smoke two-threads
record no-device "$preload" CUDA_VISIBLE_DEVICES= -- ./smoke each
if command -v cuda-gdb > /dev/null; then # Only the program is recorded, not its debugger.
  record debugger A=B -- env -u AUTOPROF_OUTPUT cuda-gdb -batch -ex "set environment LD_PRELOAD $runtime" \
    -ex 'set environment AUTOPROF_OUTPUT debugger.pftrace' -ex 'run two-threads' -ex 'print $_exitcode' ./smoke
fi

AUTOPROF_OUTPUT=killed.pftrace LD_PRELOAD=$runtime ./smoke endless > killed.out 2> killed.err &
pid=$!
sleep 3
kill -9 $pid
wait $pid 2> /dev/null
echo "$? 0" > killed.rc

python3 "$here/Inputs/check.py" "$root/test/runtime/Inputs" "$out"
