# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `autoprof` says of a recording and of an export of it is the same:

    round_trip.py AUTOPROF RECORDING EXPORT FOLDER

Waits, exposed stalls and steps one by one; devices, sites, gaps and GPU time in sum.
FOLDER is for tables.
"""
import json
import pathlib
import subprocess
import sys

autoprof, recording, export, folder = sys.argv[1:]


def report(path):
    return json.loads(subprocess.run([autoprof, "report", "--format=json", path], check=True,
                                     capture_output=True).stdout)


def rows(path, table):
    target = pathlib.Path(folder, "tables", pathlib.Path(path).name)
    subprocess.run([autoprof, "convert", "--to=jsonl", path, target], check=True)
    part, = target.glob(f"table={table}/*/part-0.jsonl")
    # Calls are numbered anew, among what each format holds.
    return [{k: v for k, v in json.loads(line).items() if k not in ("call_id", "waited_for")} for line in open(part)]


before, after = report(recording), report(export)
for table in ("waits", "steps", "gaps"):
    a, b = rows(recording, table), rows(export, table)
    assert a or table == "waits", table
    assert len(a) == len(b), (table, len(a), len(b))
    for one, other in zip(a, b):
        assert one == other, (table, one, other)
for key in ("devices", "steps", "gaps", "summary", "loss"):
    for name in ("file_bytes",):
        before[key].pop(name, None) if isinstance(before[key], dict) else None
    assert before[key] == after[key], (key, before[key], after[key])
SITE = ("id", "file", "line", "call", "count", "waits", "wait_ns", "exposed_ns", "gain_low_ns", "gain_high_ns", "verdict")
for one, other in zip(before["sites"], after["sites"], strict=True):
    assert {k: one[k] for k in SITE} == {k: other[k] for k in SITE}, (one, other)
assert sum(k["total_ns"] for k in before["kernels"]) == sum(k["total_ns"] for k in after["kernels"])
print(f"{len(rows(recording, 'waits'))} waits, {len(before['sites'])} sites: the same")
