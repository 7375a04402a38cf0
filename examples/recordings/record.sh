#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes the data of docs/loss-printing.md, on a machine with a GPU:
#
#     examples/recordings/record.sh BUILD OUT
#
# BUILD: a build folder with bin/autoprof and the example, plain and
# instrumented. OUT gets six recordings, mlp_d<width>_<print|deferred>.pftrace.gz
# (each the median of three), and timings.tsv: the median steps of unrecorded
# runs, the variants in turn, ROUNDS of each. A batch is an eighth of the width,
# but at least 128 samples. WIDTHS selects some of the three widths.
set -euo pipefail
build=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
rounds=${ROUNDS:-9}
plain=$build/examples/mlp_train/plain/mlp_train
instrumented=$build/examples/mlp_train/instrumented/mlp_train

batch_of() { echo $(($1 > 1024 ? $1 / 8 : 128)); }

# train PROGRAM WIDTH LOSS STEPS: the program's timing, from stderr.
train() { "$1" --width "$2" --layers 4 --batch "$(batch_of "$2")" --steps "$4" --loss "$3"; }

# The program says: median step 0.1958 ms on the host, 0.1956 ms on the GPU
step_of() { sed -n 's/^median step \([0-9.]*\) ms.*/\1/p'; }

# record WIDTH LOSS: makes three recordings and keeps that with the median step.
record() {
  local name=mlp_d$1_$2 i ms
  train "$plain" "$1" "$2" 100 >"$out/$name.expected" 2>/dev/null
  for i in 1 2 3; do
    # The command line is part of the recording: it must have no local paths.
    ms=$(cd "$(dirname "$instrumented")" && "$build/bin/autoprof" run -o "$out/$name.$i.pftrace" -- \
      ./mlp_train --width "$1" --layers 4 --batch "$(batch_of "$1")" --steps 100 --loss "$2" 2>&1 >"$out/$name.printed" | step_of)
    cmp "$out/$name.expected" "$out/$name.printed"
    echo "$ms $out/$name.$i.pftrace"
  done | sort -n | sed -n 2p | cut -d' ' -f2 | xargs -I@ gzip -9nc @ >"$out/$name.pftrace.gz"
  rm "$out/$name".{expected,printed,1.pftrace,2.pftrace,3.pftrace}
}

printf 'width\tloss\tprogram\tmedian_step_ms\n' >"$out/timings.tsv"
for width in ${WIDTHS:-128 1024 4096}; do
  for ((round = 0; round < rounds; ++round)); do
    for loss in print deferred none; do
      for program in plain instrumented; do
        ms=$(train "${!program}" "$width" "$loss" 300 2>&1 >/dev/null | step_of)
        printf '%s\t%s\t%s\t%s\n' "$width" "$loss" "$program" "$ms" >>"$out/timings.tsv"
      done
    done
  done
  for loss in print deferred; do record "$width" "$loss"; done
done
