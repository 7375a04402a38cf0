# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A trace in the format of PyTorch's profiler without its users' ranges. Usage: without_ranges.py IN OUT.json"""
import gzip
import json
import sys

with (gzip.open if sys.argv[1].endswith(".gz") else open)(sys.argv[1]) as file:
    trace = json.load(file)
trace["traceEvents"] = [e for e in trace["traceEvents"] if e.get("cat") not in ("user_annotation", "gpu_user_annotation", "autoprof_step")]
with open(sys.argv[2], "w") as file:
    json.dump(trace, file)
