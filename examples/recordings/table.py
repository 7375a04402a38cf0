# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the tables of docs/loss-printing.md from the recordings beside this
file and timings.tsv:

    python3 examples/recordings/table.py BUILD/bin/autoprof
"""
import collections
import json
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
WIDTHS, VARIANTS = ("128", "1024", "4096"), ("print", "deferred")


def time(ns):
    """Three digits and a unit."""
    for unit, size in (("ms", 1e6), ("us", 1e3)):
        if abs(ns) >= size:
            return f"{ns / size:#.3g}".rstrip(".") + " " + unit
    return f"{ns:.0f} ns" if ns else "0"


def row(cells):
    print("| " + " | ".join(cells) + " |")


def recordings(autoprof):
    row(["width", "loss", "step time", "CPU waits a step", "lead when the wait began", "lead at step end", "GPU busy",
         "exposed stall a step", "gain a step, removed", "regime"])
    row(["---"] * 10)
    for width in WIDTHS:
        for loss in VARIANTS:
            path = HERE / f"mlp_d{width}_{loss}.pftrace.gz"
            report = json.loads(subprocess.run([autoprof, "report", "--format=json", path], check=True,
                                               capture_output=True).stdout)
            steps, waits = report["steps"], [s for s in report["sites"] if s.get("steps", {}).get("waits")]
            n = steps["measured"]
            gain = [f"{time(s['steps']['gain_low_ns'] / n)} to {time(s['steps']['gain_high_ns'] / n)}" for s in waits]
            lead = [time(s["lead_median_ns"]) for s in waits]
            row([width, loss, time(steps["median_ns"]),
                 f"{time(steps['wait_ns'] / n)} ({100 * steps['wait_ns'] / steps['host_ns']:.0f} %)",
                 ", ".join(lead) or "-", time(steps["lead_median_ns"]),
                 f"{100 * steps['busy_ns'] / steps['span_ns']:.0f} %", time(steps["exposed_ns"] / n),
                 ", ".join(gain) or "-", steps["regime"].replace("_", "-").replace("gpu", "GPU").replace("cpu", "CPU")])


def unrecorded():
    """Step times of runs that nobody recorded, of the program without probes."""
    runs = collections.defaultdict(list)
    for line in (HERE / "timings.tsv").read_text().splitlines()[1:]:
        width, loss, program, ms = line.split("\t")
        if program == "plain":
            runs[width, loss].append(float(ms) * 1e6)
    row(["width", "print", "deferred", "never read", "print - deferred", "print - never read", "rounds"])
    row(["---"] * 7)
    for width in WIDTHS:
        printed = runs[width, "print"]
        costs = []
        for other in ("deferred", "none"):
            pairs = sorted(a - b for a, b in zip(printed, runs[width, other]))
            costs.append(f"{time(statistics.median(pairs))} ({time(pairs[0])} to {time(pairs[-1])})")
        row([width] + [time(statistics.median(runs[width, loss])) for loss in ("print", "deferred", "none")] + costs +
            [str(len(printed))])


recordings(sys.argv[1])
print()
unrecorded()
