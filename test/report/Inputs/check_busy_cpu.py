#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks cpu_busy[] of a report."""
import json
import sys

report = json.load(open(sys.argv[1]))
steps = report["steps"]
assert steps["regime"] == "cpu_bound"


def total(gaps):
    return sum(g["total_ns"] for g in gaps if g["cause"] in ("host_busy", "launch_bound"))


assert not report["cpu_busy"]
rows = steps["cpu_busy"]
idle = [row["idle_ns"] for row in rows]
assert idle == sorted(idle, reverse=True)
# What is missing passes between a launch and its operation, on the GPU's side.
assert 0.9 * total(steps["gaps"]) < sum(idle) <= total(steps["gaps"])
assert all(0 < row["idle_ns"] <= row["cpu_ns"] for row in rows)

ends = [(steps["cpu_busy"][0][end]["file"].rsplit("/", 1)[1], steps["cpu_busy"][0][end]["line"],
         steps["cpu_busy"][0][end]["name"]) for end in ("before", "after")]
assert ends == [("loops.py", 76, "cudaStreamSynchronize"), ("loops.py", 75, "cudaMemcpyAsync")], ends
# prepare() takes about two milliseconds.
each = steps["cpu_busy"][0]["cpu_ns"] / steps["cpu_busy"][0]["count"]
assert 1.5e6 < each < 3e6, each
