# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a trace of PyTorch's profiler longer: enlarge.py TRACE.json.gz TIMES OUT.json

The recorded events are written TIMES times, each time later and with new correlation numbers, so that the large trace
has the shape of a real one."""
import gzip
import json
import sys

source, times, target = sys.argv[1], int(sys.argv[2]), sys.argv[3]
trace = json.loads(gzip.open(source).read())
events = [e for e in trace.pop("traceEvents") if e.get("ph") in "Xsf"]
span = max(e["ts"] for e in events if e["ph"] == "X") - min(e["ts"] for e in events if e["ph"] == "X") + 1000
largest = max(e["args"].get("correlation", 0) for e in events if "args" in e)
steps = sum(e["name"].startswith("ProfilerStep#") and e.get("cat") == "user_annotation" for e in events)
with open(target, "w") as out:
    out.write(json.dumps(trace)[:-1] + ', "traceEvents": [\n')
    for turn in range(times):
        lines = []
        for e in events:
            e = dict(e, ts=round(e["ts"] + turn * span, 3))
            if "correlation" in e.get("args", {}):
                e["args"] = dict(e["args"], correlation=e["args"]["correlation"] + turn * largest)
            if e["name"].startswith("ProfilerStep#"):
                e["name"] = "ProfilerStep#%d" % (int(e["name"][13:]) + turn * steps)
            lines.append(json.dumps(e))
        out.write(",\n".join(lines) + (",\n" if turn + 1 < times else "\n"))
    out.write("]}\n")
print(len(events) * times, "events")
