# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""windows.py TRACE: what was recorded, and that nothing of it is outside of
the windows that the trace states."""
import collections
import sys

import pftrace

trace = pftrace.Trace(sys.argv[1])
base = next(iter(trace.sequences.values())).base
edges = [document for _, document in trace.meta.get("window", [])]
windows, opened = [], 0 if edges and not edges[0]["open"] and edges[0]["at_ns"] else None
for edge in edges:
    assert edge["open"] == (opened is None) or edge["at_ns"] == 0, edges
    if edge["open"]:
        opened = edge["at_ns"]
    elif opened is not None:
        windows.append((opened, edge["at_ns"]))
        opened = None
if opened is not None:
    windows.append((opened, float("inf")))


def outside(events):
    return sum(not any(a <= e["start"] - base <= b for a, b in windows) for e in events)


calls = [s for s in trace.slices if s["category"] == "cuda_api"]
names = collections.Counter(s["name"] for s in trace.slices if s["category"] not in ("cuda_api", "cuda_driver", "site"))
print("plan", edges[0]["plan"] if edges else None)
print("windows %d, kernels %d, outside %d" % (
    len(windows), len(trace.gpu), outside(calls) + outside([s for s in trace.slices if s["category"] != "cuda_api"])))
print("ranges", " ".join("%s=%d" % pair for pair in sorted(names.items())))
steps = trace.last("steps")
print("steps %s of which %s, unbalanced %s" % (
    steps.get("seen"), steps.get("recorded"), trace.last("loss").get("probes_unbalanced")))
print("problems", trace.problems, trace.left)
cost = trace.last("launch_cost") if "launch_cost" in trace.meta else {}
print("launches at least %s us" % (cost.get("launch_ns", 0) // 2000 and 2))
