# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the operators of a report with key_averages() of the same run:

    check_operators.py TABLE.json.gz REPORT.json
"""
import gzip
import json
import sys

table = json.load(gzip.open(sys.argv[1]))
report = json.load(open(sys.argv[2]))["operators"]
TIMES = {"cpu_ns": "cpu_time_total", "self_cpu_ns": "self_cpu_time_total", "gpu_ns": "device_time_total",
         "self_gpu_ns": "self_device_time_total"}
worst = 0


def compare(name, ours, theirs):
    global worst
    assert ours["count"] == theirs["count"], (name, ours, theirs)
    for mine, other in TIMES.items():
        difference = abs(ours[mine] / 1000 - theirs[other])
        worst = max(worst, difference / max(theirs[other], 1))
        assert difference <= max(0.5, 0.05 * theirs[other]), (name, mine, ours[mine], theirs[other])


plain = {row["key"]: row for row in table["plain"]}
assert {row["name"] for row in report} == set(plain), {row["name"] for row in report} ^ set(plain)
for row in report:
    compare(row["name"], row, plain[row["name"]])

print(f"{len(plain)} operators differ by at most {worst:.1%}")
