# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sites.py AUTOPROF TRACE: the sites of a report, one a line."""
import json
import subprocess
import sys

text = subprocess.run([sys.argv[1], "report", "--format=json", sys.argv[2]],
                      stdout=subprocess.PIPE, check=True).stdout
report = json.loads(text)
for s in report["sites"]:
    print("%s:%s %s %s %s count %d waits %d" % (s["file"], s["line"], s["function"], s["call"],
                                               s["kind"], s["count"], s["waits"]))
print("dropped %d" % report["loss"]["stacks_dropped"])
