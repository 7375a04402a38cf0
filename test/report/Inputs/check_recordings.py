# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_recordings.py WIDTH PRINT.json DEFERRED.json DIFF.json PRINT.pftrace:
what the reports must say of the shipped recordings of mlp_train, whatever
run they come from. Says what is wrong, and nothing else."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "runtime", "Inputs"))
import pftrace

STEPS = 100
wrong = []


def check(what, good, found):
    if not good:
        wrong.append("%s: %s" % (what, found))


def check_recording(name, report):
    source, steps = report["inputs"][0], report["steps"]
    check(name + ": CUPTI", source["cupti"] == "ok" and source["ended_in_order"], source)
    check(name + ": loss", not any(report["loss"].values()), report["loss"])
    check(name + ": steps", steps["count"] == STEPS and steps["clock"] == "gpu", steps)
    check(name + ": their loop", steps["source"].startswith("loop at main.cu:") and
          steps["source"].endswith(" in train"), steps["source"])
    check(name + ": causes and busy time sum up", steps["busy_ns"] +
          sum(g["total_ns"] for g in steps["gaps"]) == steps["span_ns"], steps)
    device = report["devices"][0]
    check(name + ": so do the run's", device["busy_ns"] +
          sum(g["total_ns"] for g in report["gaps"]) == device["span_ns"], device)
    inside = [s["outside_steps"] for s in report["sites"] if s["waits"]]
    check(name + ": waits outside the steps come last", inside == sorted(inside), inside)


def loss_read(report):
    return [s for s in report["sites"] if s["call"] == "cudaMemcpy" and
            (s["file"] or "").endswith("mlp_train/loss_reader.cu")]


def check_sites(print_, deferred):
    reads = loss_read(print_)
    check("print: one site reads the loss", len(reads) == 1, reads)
    site = reads[0]
    # A GPU that starves may be done before the copy asks.
    check("print: it waits in every step", site["count"] == STEPS and site["waits"] >= 0.95 * STEPS and
          site["steps"]["waits"] >= 0.95 * print_["steps"]["measured"], site)
    check("print: it is the first row", print_["sites"][0] == site, print_["sites"][0])
    part = site["steps"]
    check("print: a gain", 0 <= part["gain_low_ns"] <= part["gain_high_ns"], part)
    gone = [s for s in loss_read(deferred) if s["waits"]]
    check("deferred: nothing waits there", not gone, gone)
    waits = [s for s in deferred["sites"] if s["waits"] and not s["outside_steps"]]
    check("deferred: no site waits in the steps for long", sum(s["steps"]["wait_ns"] for s in waits) <
          deferred["steps"]["host_ns"] / 100, waits)
    return site


def check_regime(width, print_, deferred, site):
    """What tells the three widths apart, with much room."""
    steps = print_["steps"]
    wait = steps["wait_ns"] / steps["host_ns"]
    busy, exposed = (steps[k] / steps["span_ns"] for k in ("busy_ns", "exposed_ns"))
    found = {"wait": wait, "busy": busy, "exposed": exposed, "regime": steps["regime"],
             "verdict": site["verdict"], "lead": site["lead_median_ns"]}
    check("exposed", 0 < exposed < 0.2, found)
    if width == 128:
        check("launch-bound", steps["regime"] == "launch_bound" and
              deferred["steps"]["regime"] == "launch_bound", found)
        check("the GPU starves", busy < 0.7 and wait < 0.1 and
              deferred["steps"]["lead_median_ns"] < 50_000, found)
    elif width == 1024:
        check("in between", wait < 0.6 and 0.6 < busy < 0.95, found)
        check("the CPU was ahead", site["lead_median_ns"] > 10_000, found)
        check("worth it", site["verdict"] == "postpone", found)
        check("without it the CPU stays ahead", deferred["steps"]["lead_median_ns"] > 500_000,
              deferred["steps"])
    else:
        check("GPU-bound", steps["regime"] == deferred["steps"]["regime"] == "gpu_bound", found)
        check("a long wait that costs little", wait > 0.8 and busy > 0.9 and exposed < 0.04, found)
        check("little to gain", site["steps"]["gain_high_ns"] < 0.04 * steps["span_ns"], site)


def check_diff(diff, site):
    summary = diff["summary"]
    check("diff: who", summary.startswith("loss_reader.cu:%d cudaMemcpy no longer waits (" % site["line"]), summary)
    check("diff: lead and steps", "; lead at step end " in summary and ". Median step time " in summary and
          summary.count(". ") == 1, summary)
    check("diff: the measured steps", diff["step"]["base_count"] == diff["step"]["new_count"] == 90, diff["step"])
    row = [s for s in diff["sites"] if s["id"] == site["id"]][0]
    check("diff: per step", row["base"]["wait_per_step_ns"] == site["steps"]["wait_ns"] // 90, row)


def recompute(path, site):
    """Waits and exposed stalls of the print site from the raw packets, by the
    definitions in docs/terms.md and nothing of autoprof's code."""
    trace = pftrace.Trace(path)
    check("format", not trace.problems, trace.problems[:3])
    gpu = sorted(trace.gpu, key=lambda g: g["start"])
    launched = {}
    for s in trace.slices:
        if s["id"]:
            launched[s["id"]] = min(s["start"], launched.get(s["id"], s["start"]))
    check("every GPU operation has its call", all(g["id"] in launched for g in gpu), len(gpu))
    probes = [s for s in trace.slices if s["category"] == "site" and s["site"] == site["id"]]
    calls = [c for c in trace.slices if c["category"] == "cuda_api" and c["name"] == "cudaMemcpy" and
             any(p["start"] <= c["start"] and c["end"] <= p["end"] for p in probes)]
    check("one call in each probe", len(calls) == len(probes) == site["count"], len(calls))
    wait = exposed = 0
    for call in calls:
        before = [g["end"] for g in gpu if launched[g["id"]] < call["start"]]
        wait += max(0, min(max(before), call["end"]) - call["start"])
        idle_from = max(g["end"] for g in gpu if g["end"] <= call["end"])
        after = [g["start"] for g in gpu if launched[g["id"]] >= call["end"]]
        if after:
            # The wait is answerable for no more than its call took.
            exposed += min(max(0, min(after) - idle_from), call["end"] - call["start"])
    for key, value in (("wait_ns", wait), ("exposed_ns", exposed)):
        check("recomputed " + key, abs(site[key] - value) <= 0.01 * value, (site[key], value))


def main():
    print_, deferred, diff = (json.load(open(path, encoding="utf-8")) for path in sys.argv[2:5])
    check_recording("print", print_)
    check_recording("deferred", deferred)
    site = check_sites(print_, deferred)
    check_regime(int(sys.argv[1]), print_, deferred, site)
    check_diff(diff, site)
    recompute(sys.argv[5], site)
    print("\n".join(wrong))
    return 1 if wrong else 0


sys.exit(main())
