# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks an export as one asks those of Nsight Systems: check_nsys.py REPORT.json OUT.sqlite"""
import json
import sqlite3
import sys

report = json.load(open(sys.argv[1]))
ask = sqlite3.connect(sys.argv[2]).execute

assert ask("PRAGMA integrity_check").fetchone() == ("ok",)
assert ask("SELECT value FROM META_DATA_EXPORT WHERE name = 'EXPORT_SCHEMA_VERSION'").fetchone()[0].startswith("3.")

# As `nsys stats --report cuda_gpu_kern_sum` does.
kernels = dict(ask("""SELECT value, sum(end - start) FROM CUPTI_ACTIVITY_KIND_KERNEL
                      JOIN StringIds ON id = demangledName GROUP BY value""").fetchall())
ours = {k["name"]: k["total_ns"] for k in report["kernels"] if k["kind"] == "kernel"}
assert kernels == ours and kernels, kernels.keys() ^ ours.keys()
calls = dict(ask("""SELECT value, count(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME
                    JOIN StringIds ON id = nameId GROUP BY value""").fetchall())
assert calls == {a["name"]: a["count"] for a in report["apis"]}

# Each operation belongs to a call, and each number has its name.
(count, joined), = ask("""SELECT count(*), count(r.correlationId) FROM CUPTI_ACTIVITY_KIND_KERNEL k
                          LEFT JOIN CUPTI_ACTIVITY_KIND_RUNTIME r USING (correlationId)""").fetchall()
assert count == joined > 0
copies = ask("""SELECT DISTINCT c.label, s.label, d.label FROM CUPTI_ACTIVITY_KIND_MEMCPY
                JOIN ENUM_CUDA_MEMCPY_OPER c ON c.id = copyKind
                JOIN ENUM_CUDA_MEM_KIND s ON s.id = srcKind
                JOIN ENUM_CUDA_MEM_KIND d ON d.id = dstKind""").fetchall()
assert set(copies) <= {("Device-to-Host", "Device", "Pinned"), ("Device-to-Host", "Device", "Pageable")} and copies
assert ask("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION JOIN ENUM_CUPTI_SYNC_TYPE ON id = syncType"
           ).fetchone()[0] > 0
(tid,), = ask("SELECT DISTINCT globalTid & 0xFFFFFF FROM CUPTI_ACTIVITY_KIND_RUNTIME").fetchall()
assert tid > 0
assert ask("SELECT name FROM TARGET_INFO_GPU").fetchall() == [(d["name"],) for d in report["devices"]]

# What only autoprof knows.
assert ask("SELECT coalesce(sum(wait_ns), 0), coalesce(sum(exposed_ns), 0) FROM AUTOPROF_WAITS").fetchone() == \
    (report["summary"]["wait_ns"], sum(s["exposed_ns"] for s in report["sites"]))
assert ask("SELECT count(*) FROM AUTOPROF_STEPS").fetchone()[0] == report["steps"]["count"]
assert ask("SELECT site_id, waits FROM AUTOPROF_SITES").fetchall() == [(s["id"], s["waits"]) for s in report["sites"]]
print(f"{count} kernels of {len(kernels)} names, {sum(calls.values())} calls, waits at "
      f"{sum(s['waits'] > 0 for s in report['sites'])} sites, {report['steps']['count']} steps: agree")
