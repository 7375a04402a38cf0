# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the page of a report: what html_page.py checks, and that its timeline
is that of the report's JSON and small enough. Prints what the page shows.
Usage: check_report_html.py PAGE JSON
"""
import collections
import itertools
import json
import os
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "../../Inputs"))
import html_page


def rows(table):
    """A table of columns as rows, with starts summed up."""
    columns = dict(table)
    columns["start"] = list(itertools.accumulate(table["start"]))
    lengths = {len(column) for column in columns.values()}
    assert len(lengths) == 1, "columns of different lengths"
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


KERNELS = (0, 3)  # Of OP_KINDS in timeline_model.js: kernel, graph.


def union(items):
    """The time that is in at least one of the items."""
    end = total = 0
    for item in items:  # In order of start, which may be before the part.
        start, last = max(item["start"], end), item["start"] + item["length"]
        total += max(0, last - start)
        end = max(end, last)
    return total


def main():
    page = html_page.Page(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as file:
        report = json.load(file)
    assert len(page.data) == 1, "one timeline"
    data = json.loads(page.data[0])
    assert len(page.data[0]) < 2_000_000
    print("bytes of the timeline:", len(page.data[0]))
    slices, ops, waits, gaps = (
        rows(data[name]) for name in ("slices", "ops", "waits", "gaps"))
    names = data["names"]
    for table in (slices, ops, waits, gaps):
        for row in table:
            assert row["length"] >= 0
            assert row["start"] < data["length"]
            assert row["start"] + row["length"] > 0
    assert 0 <= data["viewFrom"] < data["viewTo"] <= data["length"]
    for wait in waits:  # Each lies in its call.
        call = slices[wait["slice"]]
        assert call["start"] <= wait["start"], wait
        assert wait["start"] + wait["length"] <= call["start"] + call["length"]
    for op in ops:
        if op["launch"] >= 0:
            assert slices[op["launch"]]["start"] <= op["start"]
    causes = [reason["cause"] for reason in data["reasons"]]
    for curve in data["ahead"]:
        assert len({len(curve[name]) for name in
                    ("time", "depth", "lead", "falling")}) == 1
        assert all(v >= 0 for v in curve["depth"] + curve["lead"])
    width = data["utilization"]["width"]
    for curve in data["utilization"]["curves"]:
        kernels = curve["kernels"]
        assert (len(kernels) - 1) * width < data["length"] <= len(kernels) * width
        assert all(0 <= share <= 1000 for share in kernels)
        device = data["devices"].index(curve["device"])
        ran = union(op for op in ops if op["kind"] in KERNELS
                    and data["queues"][op["queue"]]["device"] == device)
        assert abs(sum(kernels) * width / 1000 - min(ran, data["length"])) <= data["length"] / 1000
        if curve["sms"]:  # Kernels use at most all multiprocessors.
            assert all(s <= k for s, k in zip(curve["sms"], kernels, strict=True))
    if report["summary"]["wait_ns"] == sum(w["length"] for w in waits):
        print("all waits")
    idle = collections.Counter()
    for gap in gaps:
        idle[causes[gap["reason"]]] += gap["length"]
    if idle == {g["cause"]: g["total_ns"] for g in report["gaps"]}:
        print("all gaps")
    print("waits at:", sorted({names[w["place"]] for w in waits}))
    print("steps: %d to %d" % (data["steps"]["number"][0], data["steps"]["number"][-1])
          if data["steps"]["number"] else "no steps")


main()
