#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ddp-pairs.sh BUILD OUT: measures what reading the loss in every step costs two
# ranks, without a recorder, and makes the recordings to predict it from. Needs
# two GPUs and PyTorch in python3; takes about three minutes.
#
# OUT/steps.txt: a line per run with the ranks that read the loss, the run's
# number, and the median step. OUT/ddp-traces.tar.gz: ITEM-rankN.pftrace and the
# reports.
set -euo pipefail
build=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
launch=(python3 -m torch.distributed.run --standalone --nproc-per-node=2 --no-python)
program=("$here/ddp.py" --width 512 --nvtx)

for run in 1 2 3; do
  for item in none one all; do
    echo "$item $run $("${launch[@]}" python3 "${program[@]}" --steps 400 --item $item 2>>"$out/errors.txt" | grep median)"
  done
done | tee "$out/steps.txt"
for item in one all; do
  "${launch[@]}" "$build/bin/autoprof" run --stacks -o "$work/$item-rank%q{RANK}.pftrace" -- \
    python3 "${program[@]}" --steps 120 --item $item >>"$out/errors.txt" 2>&1
  "$build/bin/autoprof" report "$work/$item"-rank*.pftrace >"$work/$item.txt"
done
tar -C "$work" -czf "$out/ddp-traces.tar.gz" .
