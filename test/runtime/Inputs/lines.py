# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lines.py REPORT: of the JSON report of sampler.py, the share of the samples at
some lines, and of the time that the thread ran."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
lines = report["cpu_lines"]
print("samples", lines["samples"])
for line in lines["lines"]:
    if line["file"].endswith("sampler.py") and line["line"] in (30, 31):
        share = line["samples"] / lines["samples"]
        asleep = line["asleep_samples"] / max(1, line["idle_samples"])
        print(f"{line['line']} {line['function']} {line['expression']}:",
              "half" if 0.3 < share < 0.7 else share,
              "asleep" if asleep > 0.9 else "awake" if asleep < 0.5 else asleep)
steps = report["steps"]
print("ran", "half" if 0.3 < lines["cpu_ns"] / steps["time_ns"] < 0.75
      else lines["cpu_ns"])
for line in report["sleeping_lines"]:
    print("sleeping at", line["line"], line["expression"])
