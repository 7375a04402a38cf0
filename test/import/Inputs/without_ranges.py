# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A trace of PyTorch's profiler without its users' ranges. Usage: without_ranges.py IN.json.gz OUT.json"""
import gzip
import json
import sys

with gzip.open(sys.argv[1]) as file:
    trace = json.load(file)
trace["traceEvents"] = [e for e in trace["traceEvents"] if "user_annotation" not in e.get("cat", "")]
with open(sys.argv[2], "w") as file:
    json.dump(trace, file)
