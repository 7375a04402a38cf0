# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recomputes from torch.profiler's own file what `autoprof report` says about loss.item() in it.

Usage: check_kineto.py TRACE.json.gz REPORT.json ITEMS

Written from the definitions in docs/terms.md, not from autoprof's code, for a trace with one stream: the wait of an
aten::item is from the start of its cudaStreamSynchronize to the end of the last operation launched before that, where
the call was still running then. The GPU then idles until the next operation launched after the call's return; of
that, the call is answerable for no more than it took."""
import gzip
import json
import sys
from decimal import Decimal


def ns(microseconds):
    return int(Decimal(str(microseconds)) * 1000)


trace, report, items = sys.argv[1:]
# Decimals, as a double has not enough digits.
events = json.loads(gzip.open(trace).read(), parse_float=Decimal)["traceEvents"]
events = [e for e in events if e.get("ph") == "X"]
for e in events:
    e["start"], e["end"] = ns(e["ts"]), ns(e["ts"]) + ns(e["dur"])
calls = {e["args"]["correlation"]: e for e in events if e.get("cat") == "cuda_runtime"}
ops = [e for e in events if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")]
for op in ops:
    op["launch"] = calls[op["args"]["correlation"]]["start"]

count = wait = exposed = 0
for item in events:
    if item["name"] != "aten::item":
        continue
    count += 1
    for call in calls.values():
        if call["name"] != "cudaStreamSynchronize" or not item["start"] <= call["start"] < item["end"]:
            continue
        done = max(op["end"] for op in ops if op["launch"] < call["start"])
        if not call["start"] < done <= call["end"]:
            continue
        wait += done - call["start"]
        later = [op["start"] for op in ops if op["launch"] >= call["end"]]
        if later:
            exposed += min(min(later) - done, call["end"] - call["start"])

R = json.load(open(report))
rows = [s for s in R["sites"] if s["call"].startswith("aten::item")]
assert count == int(items), count
if count:
    (row,) = rows
    assert row["call"] == "aten::item > aten::_local_scalar_dense", row["call"]
    assert row["kind"] == "operator" and row["file"] is None
    assert (row["count"], row["waits"]) == (count, count), row
    assert row["wait_ns"] == wait, (row["wait_ns"], wait)
    assert row["exposed_ns"] == exposed, (row["exposed_ns"], exposed)
else:
    assert not rows, rows

steps = [e for e in events if e["name"].startswith("ProfilerStep#") and e["cat"] == "user_annotation"]
assert R["steps"]["count"] == len(steps), R["steps"]["count"]
assert R["steps"]["source"] == "PyTorch's ProfilerStep#", R["steps"]["source"]
assert sum(k["total_ns"] for k in R["kernels"]) == sum(op["end"] - op["start"] for op in ops)
assert R["devices"][0]["ops"] == len(ops) and R["devices"][0]["name"] == "NVIDIA H200"

# The profiler joins calls and operators by a number of its own, which must agree with the times that autoprof goes by.
for call in calls.values():
    around = [
        e
        for e in events
        if e.get("cat") == "cpu_op" and e["tid"] == call["tid"] and e["start"] <= call["start"] < e["end"]
    ]
    if around:
        innermost = max(around, key=lambda e: (e["start"], -e["end"]))
        assert innermost["args"]["External id"] == call["args"]["External id"], call
print("agrees:", count, "items,", wait, "ns waited,", exposed, "ns exposed")
