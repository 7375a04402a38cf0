# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks pandas for the GPU's busy and idle time and the time of each kernel in
the tables that `autoprof convert` wrote, and compares them with what `autoprof
report` says of the recording itself:

    peers.py AUTOPROF RECORDING FOLDER

Prints a table; fails where they differ by more than 0.1 %.
"""
import json
import pathlib
import subprocess
import sys

import pandas

LIMIT = 0.001


def of_pandas(folder):
    """Busy time, idle time and sums by name, from the operations alone. ns"""
    part, = pathlib.Path(folder).glob("table=ops/rank=*/part-0.csv")
    gpu = pandas.read_csv(part)
    spans = pandas.DataFrame({"start": gpu["start_ns"], "end": gpu["end_ns"]}).sort_values("start")
    # Time covered: of each operation what lies behind the end of all before.
    before = spans["end"].cummax().shift(fill_value=spans["start"].iloc[0])
    busy = (spans["end"] - spans[["start"]].assign(before=before).max(axis=1)).clip(lower=0).sum()
    span = spans["end"].max() - spans["start"].min()
    sums = gpu.assign(ns=gpu["end_ns"] - gpu["start_ns"]).groupby("name")["ns"].sum().to_dict()
    return busy, span - busy, sums


def main():
    autoprof, recording, folder = sys.argv[1:]
    report = json.loads(subprocess.run([autoprof, "report", "--format=json", recording], check=True,
                                       capture_output=True).stdout)
    device, = report["devices"]
    ours = (device["busy_ns"], device["span_ns"] - device["busy_ns"],
            {k["name"]: k["total_ns"] for k in report["kernels"]})
    theirs = of_pandas(folder)
    assert theirs[2].keys() == ours[2].keys(), theirs[2].keys() ^ ours[2].keys()
    differences = [abs(a / b - 1) for a, b in zip(theirs[:2], ours[:2])]
    differences.append(max(abs(theirs[2][name] / ours[2][name] - 1) for name in ours[2]))
    print(f"{pathlib.Path(recording).name}: busy {ours[0]} ns, idle {ours[1]} ns, {len(ours[2])} kernels")
    print(f"  pandas: busy {theirs[0]:.0f} ns, idle {theirs[1]:.0f} ns; differences: busy {differences[0]:.4%}, "
          f"idle {differences[1]:.4%}, kernels at most {differences[2]:.4%}")
    if max(differences) > LIMIT:
        sys.exit(f"they differ by {max(differences):.3%}")


main()
