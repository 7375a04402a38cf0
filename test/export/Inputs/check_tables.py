# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of `autoprof convert` say what the report says:

    check_tables.py REPORT.json FOLDER RANK
"""
import json
import pathlib
import sys

from tables import read

report = json.load(open(sys.argv[1]))
folder = pathlib.Path(sys.argv[2])
PART = f"rank={sys.argv[3]}"
TABLES = ("processes", "devices", "steps", "sites", "waits", "gaps", "calls", "ranges", "ops")


tables = {name: read(folder / f"table={name}" / PART / "part-0.csv") for name in TABLES}
assert {p.name for p in folder.iterdir()} == {f"table={name}" for name in TABLES}


def total(table, column, **where):
    return sum(r[column] or 0 for r in tables[table] if all(r[k] == v for k, v in where.items()))


process, = tables["processes"]
assert process["wait_ns"] == report["summary"]["wait_ns"] == total("waits", "wait_ns") > 0
assert process["regime"] == report["steps"]["regime"]
assert total("waits", "exposed_ns") == total("sites", "exposed_ns") == sum(s["exposed_ns"] for s in report["sites"]) > 0
assert len(tables["steps"]) == report["steps"]["count"] > 0
assert len(tables["sites"]) == len(report["sites"])
for row, site in zip(tables["sites"], report["sites"]):
    assert (row["site_id"], row["call"], row["waits"], row["gain_high_ns"]) == \
        (site["id"], site["call"], site["waits"], site["gain_high_ns"])
    assert sum(w["site_id"] == site["id"] for w in tables["waits"]) == site["waits"] or site["id"] is None
for cause in report["gaps"]:
    assert sum(g["end_ns"] - g["start_ns"] for g in tables["gaps"] if g["cause"] == cause["cause"]) == cause["total_ns"]
for device in report["devices"]:
    assert total("devices", "busy_ns", device=device["id"]) == device["busy_ns"]
for kernel in report["kernels"]:
    assert sum(o["end_ns"] - o["start_ns"] for o in tables["ops"] if o["name"] == kernel["name"]) == kernel["total_ns"]
ids = {c["call_id"] for c in tables["calls"]}
assert all(w["call_id"] in ids for w in tables["waits"])
assert all(o["call_id"] in ids for o in tables["ops"])
steps = {s["step"]: s for s in tables["steps"]}
for wait in tables["waits"]:
    if wait["step"]:
        assert steps[wait["step"]]["start_ns"] <= wait["start_ns"] < steps[wait["step"]]["end_ns"]
