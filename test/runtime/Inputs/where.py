# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""where.py TRACE PAUSE_MS: of how many calls the stack is known: after a pause of
the thread, before one, of others; each by place: "launch 13:5-68 < forward 18:9-16",
from the third frame on functions only."""
import collections
import re
import sys

from pftrace import Trace

trace, pause = Trace(sys.argv[1]), float(sys.argv[2]) * 1e6
stack_of = {s["id"]: s["frames"] for s in trace.stacks}
calls = sorted((s for s in trace.slices if s["category"].startswith("cuda_")), key=lambda s: s["start"])


def place(frames):
    found = re.findall(r"^.*\.py:([-:0-9]+) (\S+)$", frames, re.M)
    return " < ".join("%s %s" % (name, at) for at, name in found[:2]) or "native"


counts = collections.Counter()
for before, call, after in zip([None, *calls], calls, [*calls[1:], None]):
    kind = ("after" if not before or call["start"] - before["end"] >= pause else
            "before" if after and after["start"] - call["end"] >= pause else "other")
    frames = stack_of.get(call["id"])
    counts[kind, place(frames) if frames else "unknown"] += 1
for (kind, where), count in sorted(counts.items()):
    print(kind, where, count)
print("stacks", trace.last("process").get("stacks"))
print("problems", trace.problems)
