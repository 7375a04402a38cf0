#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes what docs/loss-printing.md shows, on a machine with a GPU:
#
#     examples/recordings/record.sh BUILD OUT
#
# BUILD: a build folder with bin/autoprof and the example, plain and
# instrumented. OUT gets six recordings, mlp_d<width>_<print|deferred>.pftrace.gz,
# and timings.tsv: the median step of runs that nobody recorded, the variants in
# turn, ROUNDS of each.
set -euo pipefail
build=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
rounds=${ROUNDS:-9}
plain=$build/examples/mlp_train/plain/mlp_train
instrumented=$build/examples/mlp_train/instrumented/mlp_train

# train PROGRAM WIDTH LOSS STEPS: the program's timing, from stderr.
train() { "$1" --width "$2" --layers 4 --batch 256 --steps "$4" --loss "$3"; }

# The program says: median step 0.1958 ms on the host, 0.1956 ms on the GPU
step_of() { sed -n 's/^median step \([0-9.]*\) ms.*/\1/p'; }

printf 'width\tloss\tprogram\tmedian_step_ms\n' >"$out/timings.tsv"
for width in 128 1024 4096; do
  for ((round = 0; round < rounds; ++round)); do
    for loss in print deferred none; do
      for program in plain instrumented; do
        ms=$(train "${!program}" "$width" "$loss" 300 2>&1 >/dev/null | step_of)
        printf '%s\t%s\t%s\t%s\n' "$width" "$loss" "$program" "$ms" >>"$out/timings.tsv"
      done
    done
  done
  for loss in print deferred; do
    name=mlp_d${width}_$loss
    train "$plain" "$width" "$loss" 100 >"$out/$name.expected" 2>/dev/null
    rm -f "$out/$name.pftrace"
    # The command line is part of the recording: no paths of this machine.
    (cd "$(dirname "$instrumented")" && "$build/bin/autoprof" run -o "$out/$name.pftrace" -- \
      ./mlp_train --width "$width" --layers 4 --batch 256 --steps 100 --loss "$loss" >"$out/$name.printed")
    cmp "$out/$name.expected" "$out/$name.printed"
    rm "$out/$name.expected" "$out/$name.printed"
    gzip -9nf "$out/$name.pftrace"
  done
done
