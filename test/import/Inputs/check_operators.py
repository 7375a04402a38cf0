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
BYTES = {"cpu_bytes": "cpu_memory_usage", "self_cpu_bytes": "self_cpu_memory_usage", "gpu_bytes": "device_memory_usage",
         "self_gpu_bytes": "self_device_memory_usage"}
worst = 0


def compare(name, ours, theirs):
    global worst
    assert ours["count"] == theirs["count"], (name, ours, theirs)
    for mine, other in TIMES.items():
        difference = abs(ours[mine] / 1000 - theirs[other])
        worst = max(worst, difference / max(theirs[other], 1))
        assert difference <= max(0.5, 0.05 * theirs[other]), (name, mine, ours[mine], theirs[other])
    for mine, other in BYTES.items():
        assert ours[mine] == theirs[other], (name, mine, ours[mine], theirs[other])


plain = {row["key"]: row for row in table["plain"]}
assert {row["name"] for row in report} == set(plain), {row["name"] for row in report} ^ set(plain)
for row in report:
    compare(row["name"], row, plain[row["name"]])

shapes = {(row["key"], str(row["shapes"])): row for row in table["shapes"]}


def as_torch(text):
    """torch leaves out the shapes of lists of tensors, which the trace has."""
    return str([[] if any(isinstance(n, list) for n in shape) else shape for shape in json.loads(text or "[]")])


found = {(row["name"], as_torch(one["shapes"])): one for row in report for one in row["by_shapes"]}
assert found.keys() == shapes.keys(), found.keys() ^ shapes.keys()
for key, one in found.items():
    compare(key, one, shapes[key])
print(f"{len(plain)} operators, {len(shapes)} with shapes, differ by at most {worst:.1%}")
