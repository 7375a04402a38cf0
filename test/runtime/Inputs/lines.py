# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lines.py REPORT: of the JSON report of sampler.py, the share of the samples at
some lines, and of the time in which the thread was awake."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
lines = report["cpu_lines"]
print("samples", lines["samples"])
for line in lines["lines"]:
    if line["file"].endswith("sampler.py") and line["line"] in (31, 32):
        share = line["samples"] / lines["samples"]
        print(line["line"], line["function"], line["expression"],
              "half" if 0.2 < share < 0.8 else share)
steps = report["steps"]
time = steps["median_ns"] * steps["measured"]
# On a busy machine it is often ready and does not run.
awake = (lines["cpu_ns"] + (lines["delayed_ns"] or 0)) / time
print("awake", "half" if 0.3 < awake < 0.9 else awake)
for line in report["sleeping_lines"]:
    print("sleeping at", line["line"], line["expression"])
