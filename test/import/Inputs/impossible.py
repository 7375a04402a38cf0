# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives one event at a time a time that cannot be, and compares what
`autoprof report` says with what it says of the trace as it was recorded:

    impossible.py AUTOPROF TRACE.json.gz EXPORT.sqlite FOLDER
"""
import copy
import gzip
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys

autoprof, trace, export, folder = sys.argv[1:]
DAY_US = 86400e6


def report(path):
    return json.loads(subprocess.run([autoprof, "report", "--format=json", path], check=True,
                                     capture_output=True).stdout)


def check(name, path, original):
    found = report(path)
    assert found["loss"]["events_invalid"] == 1, (name, found["loss"])
    now, before = (r["summary"]["wall_ns"] for r in (found, original))
    assert abs(now - before) < 0.02 * before, (name, now, before)
    (now,), (before,) = found["devices"][:1], original["devices"][:1]
    assert now["ops"] >= before["ops"] - 1, name
    assert abs(now["busy_ns"] - before["busy_ns"]) < 0.05 * before["busy_ns"], (name, now, before)
    print(name, "is left out")


whole = json.load(gzip.open(trace))
original = report(trace)
events = whole["traceEvents"]
kernels = [i for i, e in enumerate(events) if e.get("cat") == "kernel"]
calls = [i for i, e in enumerate(events) if e.get("name") == "cudaLaunchKernel"]
first, middle = min(kernels, key=lambda i: events[i]["ts"]), kernels[len(kernels) // 2]
start = events[middle]["ts"]
for name, index, change in (
        ("first-at-zero", first, {"ts": 0, "dur": 0}),
        ("kernel-at-zero", middle, {"ts": 0}),
        ("call-at-zero", calls[9], {"ts": 0}),
        ("negative-duration", middle, {"dur": -5}),
        ("no-number", middle, {"ts": float("nan")}),
        ("endless", middle, {"dur": float("inf")}),
        ("days-later", middle, {"ts": start + 3 * DAY_US}),
        ("days-earlier", middle, {"ts": start - 3 * DAY_US}),
        ("call-days-later", calls[9], {"ts": start + 3 * DAY_US}),
        ("end-beyond", middle, {"dur": 40 * DAY_US}),
        ("call-end-beyond", calls[9], {"dur": 40 * DAY_US}),
        ("nanoseconds-since-1970", middle, {"ts": start * 1000})):
    changed = copy.deepcopy(events[index])
    changed.update(change)
    path = pathlib.Path(folder, name + ".json")
    path.write_text(json.dumps({**whole, "traceEvents": events[:index] + [changed] + events[index + 1:]}))
    check(name, path, original)

original = report(export)
KERNEL = "CUPTI_ACTIVITY_KIND_KERNEL WHERE globalPid >> 24 & 0xFFFFFF = 111"
with sqlite3.connect(export) as db:
    row = db.execute(f"SELECT rowid FROM {KERNEL} ORDER BY start LIMIT 1 OFFSET 900").fetchone()[0]
for name, change in (("nsys-zero", "start = -1600000000000000000, end = start"),
                     ("nsys-reversed", "end = start - 5"),
                     ("nsys-later", "start = start + 300000000000000, end = end + 300000000000000")):
    path = pathlib.Path(folder, name + ".sqlite")
    shutil.copyfile(export, path)
    with sqlite3.connect(path) as db:
        db.execute(f"UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET {change} WHERE rowid = {row}")
    check(name, path, original)
