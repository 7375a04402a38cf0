#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checks on a real GPU what `postpone` makes of the example: it prints the
# losses of the step before, and its steps are shorter.
#
#     test/gpu/experiment.sh path/to/build [folder for the traces]
set -u
build=$(realpath "$1")
out=${2:-$(mktemp -d)}
mkdir -p "$out"
cd "$out" || exit 2
autoprof=$build/bin/autoprof
programs=$build/examples/mlp_train
options=(--width 1024 --steps 200 --loss print)

"$programs/plain/mlp_train" "${options[@]}" > plain.txt || exit 2
"$programs/experiment/mlp_train" "${options[@]}" > unrecorded.txt || exit 2
"$autoprof" run -o base.pftrace -- "$programs/instrumented/mlp_train" "${options[@]}" > base.txt || exit 2
"$autoprof" run -o experiment.pftrace -- "$programs/experiment/mlp_train" "${options[@]}" > experiment.txt || exit 2
"$autoprof" diff --format=json base.pftrace experiment.pftrace > diff.json || exit 2
python3 - << 'END'
import json


def losses(name):
    return [line.split()[-1] for line in open(name) if line.startswith("step ")]


good = True


def check(what, passed):
    global good
    good &= passed
    print(("ok " if passed else "FAILED ") + what)


plain = losses("plain.txt")
late = plain[:1] + plain[:-1]
check("200 losses", len(plain) == 200)
check("the experiment prints the losses of the step before", losses("unrecorded.txt") == late)
check("recorded, too", losses("experiment.txt") == late)
step = json.load(open("diff.json"))["step"]
print(step)
check("its steps are shorter", step["change"] < 0)
raise SystemExit(0 if good else 1)
END
