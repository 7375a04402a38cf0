# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recomputes from an Nsight Systems export what `autoprof report` says about one of its processes.

Usage: check_nsys.py EXPORT.sqlite REPORT.json PID"""
import json
import sqlite3
import sys

export, report, pid = sys.argv[1:]
db = sqlite3.connect(export)
R = json.load(open(report))
mine = "(globalPid >> 24 & 0xffffff) = %s" % pid
ops = []
for table in ("KERNEL", "MEMCPY", "MEMSET"):
    ops += db.execute("SELECT start, end FROM CUPTI_ACTIVITY_KIND_%s WHERE %s" % (table, mine)).fetchall()

(device,) = R["devices"]
assert device["ops"] == len(ops), (device["ops"], len(ops))
assert device["span_ns"] == max(end for _, end in ops) - min(start for start, _ in ops)
busy, until = 0, 0
for start, end in sorted(ops):
    busy += max(0, end - max(start, until))
    until = max(until, end)
assert device["busy_ns"] == busy, (device["busy_ns"], busy)

# The table has a prefix of each call's version; the report has not.
calls = db.execute(
    "SELECT value, count(*), sum(end - start) FROM CUPTI_ACTIVITY_KIND_RUNTIME JOIN StringIds ON id = nameId "
    "WHERE (globalTid >> 24 & 0xffffff) = %s GROUP BY value" % pid
).fetchall()
assert sorted((a["name"], a["count"], a["total_ns"]) for a in R["apis"]) == sorted(
    (name[: name.rindex("_v")], count, total) for name, count, total in calls
)
kernels = db.execute(
    "SELECT value, count(*), sum(end - start) FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON id = demangledName "
    "WHERE %s GROUP BY value" % mine
).fetchall()
named = {k["name"]: (k["count"], k["total_ns"]) for k in R["kernels"]}
for name, count, total in kernels:
    assert named[name] == (count, total), name

# Launches that a full queue blocked, on the process's only thread.
(blocked,) = db.execute(
    "SELECT sum(o.end - o.start) FROM CUPTI_ACTIVITY_KIND_OVERHEAD o JOIN ENUM_CUPTI_OVERHEAD_TYPE e "
    "ON e.id = o.overheadType WHERE e.name LIKE '%%COMMAND_BUFFER_FULL' AND (globalTid >> 24 & 0xffffff) = %s" % pid
).fetchone()
assert R["summary"]["launches_blocked_ns"] == blocked, (R["summary"]["launches_blocked_ns"], blocked)
assert 0.85 * R["steps"]["host_ns"] < R["steps"]["launches_blocked_ns"] <= blocked

# Work that was queued before the recording, on the only stream: the lead is constant.
unlaunched = sum(
    db.execute(
        "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_%s o WHERE %s AND NOT EXISTS (SELECT 1 FROM "
        "CUPTI_ACTIVITY_KIND_RUNTIME r WHERE r.correlationId = o.correlationId AND r.globalTid >> 24 = "
        "o.globalPid >> 24)" % (table, mine)
    ).fetchone()[0]
    for table in ("KERNEL", "MEMCPY", "MEMSET")
)
assert R["summary"]["operations_without_launch"] == unlaunched > len(ops) / 2
assert 400e6 < R["steps"]["lead_median_ns"] < 440e6, R["steps"]["lead_median_ns"]

# What the synchronizations waited for: all that was launched on the record's stream before them.
wait = 0
for start, end, stream in db.execute(
    "SELECT r.start, r.end, s.streamId FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION s JOIN CUPTI_ACTIVITY_KIND_RUNTIME r "
    "ON r.correlationId = s.correlationId AND r.globalTid >> 24 = s.globalPid >> 24 "
    "JOIN StringIds ON id = r.nameId WHERE value LIKE 'cudaStreamSynchronize%%' AND %s" % mine
):
    done = [
        db.execute(
            "SELECT max(o.end) FROM CUPTI_ACTIVITY_KIND_%s o JOIN CUPTI_ACTIVITY_KIND_RUNTIME r ON r.correlationId = "
            "o.correlationId AND r.globalTid >> 24 = o.globalPid >> 24 WHERE o.streamId = %d AND r.start < %d AND %s"
            % (table, stream, start, mine)
        ).fetchone()[0]
        for table in ("KERNEL", "MEMCPY", "MEMSET")
    ]
    done = max(d for d in done if d)
    wait += max(0, min(done, end) - start)
found = sum(a["wait_ns"] for a in R["apis"] if a["name"] == "cudaStreamSynchronize")
assert found == wait, (found, wait)
print("agrees:", len(ops), "operations,", busy, "ns busy,", wait, "ns waited")
