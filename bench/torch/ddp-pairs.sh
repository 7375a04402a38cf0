#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ddp-pairs.sh BUILD OUT [RUNS]: measures what reading the loss in every step
# costs two ranks, without a recorder, and makes the recordings to predict it
# from. Needs two GPUs and PyTorch in python3; with 3 runs (the default) it takes
# about six minutes.
#
# A step begins with two milliseconds of Python on rank 1 (late: one) or on both
# ranks (late: all), and ends with reading the loss on the ranks of `item`.
#
# OUT/steps.txt: a line per run with late, item, the run's number, and the median
# step. OUT/ddp-traces.tar.gz: LATE-ITEM-rankN.pftrace and the reports.
set -euo pipefail
build=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
runs=${3:-3}
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
launch=(python3 -m torch.distributed.run --standalone --nproc-per-node=2 --no-python)
program=("$here/ddp.py" --width 3072 --nvtx)

record() { # LATE ITEM
  local name=$1-$2
  "${launch[@]}" "$build/bin/autoprof" run -o "$work/$name-rank%q{RANK}.pftrace" -- \
    python3 "${program[@]}" --steps 100 --late "$1" --item "$2" >>"$out/errors.txt" 2>&1
  "$build/bin/autoprof" report "$work/$name"-rank*.pftrace >"$work/$name.txt"
}

record all all
for run in $(seq "$runs"); do
  for late in one all; do
    for item in none one all; do
      echo "$late $item $run $("${launch[@]}" python3 "${program[@]}" --steps 200 --late $late --item $item 2>>"$out/errors.txt" | grep median)"
    done
  done
done | tee "$out/steps.txt"
record all one
record one all
record one one
tar -C "$work" -czf "$out/ddp-traces.tar.gz" .
