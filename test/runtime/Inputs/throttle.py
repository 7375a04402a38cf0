# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""throttle.py TRACE: the ranges around each site and each launch, and which ranges
were throttled."""
import sys

import pftrace

trace = pftrace.Trace(sys.argv[1])
ranges = sorted((s for s in trace.slices if s["category"] == "range"), key=lambda s: s["start"])
inner = [s for s in trace.slices if s["category"] == "site" or "aunch" in s["name"]]
for s in sorted(inner, key=lambda s: s["start"]):
    around = [r for r in ranges if r["start"] <= s["start"] and s["end"] <= r["end"]]
    print(s["name"], "in", " ".join(r["site"][-2:] for r in around))
for name in sorted({document["id"][-2:] for _, document in trace.meta.get("throttled", [])}):
    print("throttled", name)
print("recorded", len(ranges), "problems", trace.problems)
