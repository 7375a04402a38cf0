# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""native_lines.py REPORT: of the JSON report of native-sampler.cpp, the calls that
lead to the function with most of the samples, and how many it has."""
import collections
import json
import pathlib
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    lines = json.load(file)["cpu_lines"]["lines"]


def calls(line):
    around = [] if line["parent"] is None else calls(lines[line["parent"]])
    return around if line["function"] in around else [*around, line["function"]]


counts = collections.Counter()
for line in lines:
    below = sum(other["samples"] for other in lines if other["parent"] == lines.index(line))
    counts[" > ".join(call for call in calls(line) if call != "_start"), line["file"]] += line["samples"] - below
((path, file), most), = counts.most_common(1)
share = most / counts.total()
print(path, "at", pathlib.Path(file).name, "most of what ran" if share > 0.8 else f"{share:.0%}")
