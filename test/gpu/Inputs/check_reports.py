# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_reports.py BASE NEW DIFF: what the JSON must say of mlp_train with and
without printing the loss. Says what is wrong, and nothing else."""
import json
import sys

STEPS = 200
base, new, diff = (json.load(open(path)) for path in sys.argv[1:4])
wrong = []


def check(what, good, found):
    if not good:
        wrong.append("%s: %s" % (what, found))


for name, report in (("base", base), ("new", new)):
    source = report["inputs"][0]
    check(name + ": CUPTI", source["cupti"] == "ok" and source["ended_in_order"], source)
    check(name + ": loss", not any(report["loss"].values()), report["loss"])
    check(name + ": steps", report["steps"]["count"] == STEPS, report["steps"])
    steps = report["steps"]
    check(name + ": the steps' time", steps["span_ns"] and steps["regime"] and steps["busy_ns"] +
          sum(g["total_ns"] for g in steps["gaps"]) == steps["span_ns"], steps)
    check(name + ": GPU", report["devices"] and report["devices"][0]["busy_ns"] > 0, report["devices"])

reads = [s for s in base["sites"] if s["call"] == "cudaMemcpy" and s["count"] >= STEPS]
check("base: the site that reads the loss", len(reads) == 1, reads)
for site in reads:
    check("base: it stands in the source", site["file"].endswith("loss_reader.cu") and site["line"] > 0, site)
    check("base: it waited in each step", site["waits"] >= STEPS * 0.9 and site["wait_ns"] > 0, site)
    steps = site["steps"]
    check("base: the stall is exposed", steps["exposed_ns"] > 0, site)
    check("base: without it, time is gained", 0 <= steps["gain_low_ns"] <= steps["gain_high_ns"] > 0, site)
    gone = [s for s in new["sites"] if s["id"] == site["id"] and s["waits"] >= STEPS * 0.9]
    check("new: it is gone", not gone, gone)
sides = [s for s in diff["sites"] if s["id"] in [r["id"] for r in reads]]
check("diff: it says so", len(sides) == 1 and sides[0]["base"]["wait_ns"] > 0 and
      (not sides[0]["new"] or sides[0]["new"]["wait_ns"] < sides[0]["base"]["wait_ns"] / 10), sides)
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
