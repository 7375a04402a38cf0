# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two autoprof-ranks/1 documents are the same but for the rounding of step times."""
import json
import sys

traces, summaries = (json.load(open(path)) for path in sys.argv[1:])
assert traces["steps"] and len(traces["steps"]) == len(summaries["steps"])
for a, b in zip(traces["steps"], summaries["steps"]):
    assert a["slowest_rank"] == b["slowest_rank"] and a["number"] == b["number"]
    for key in ("time_ns", "median_ns", "fastest_ns"):
        assert abs(a[key] - b[key]) <= a[key] / 10000, (a, b)
traces["steps"] = summaries["steps"] = None
assert traces == summaries
