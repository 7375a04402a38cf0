#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the tables of docs/compare.md from the results of bench/compare/gpu.py.

    bench/compare/tables.py BUILD/bin/autoprof DATA

Comparisons of a program with itself are formed from a series of its runs in
the order in which they were made, and each is decided by `autoprof compare
--from`, the same code that decides while programs run. Comparisons of five
runs with five use ten runs each, and share none. Those with the default
settings use as many runs as they need, and the next one begins after them.
"""
import concurrent.futures
import json
import os
import statistics
import subprocess
import sys
import tempfile

ORDER = ["base", "new", "new", "base"]


def load(data, name):
    path = os.path.join(data, name + ".json")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def decide(autoprof, series, runs, *options, slower=1.0):
    """The result of compare for these runs, with the new ones made slower."""
    piece = dict(series, result=None, self_test=False, runs=[])
    for i, run in enumerate(runs):
        side = ORDER[i % 4]
        piece["runs"].append(dict(run, side=side, time_ns=round(run["time_ns"] * (slower if side == "new" else 1))))
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(piece, file)
        file.flush()
        done = subprocess.run([autoprof, "compare", f"--from={file.name}", "--format=json", *options],
                              capture_output=True, text=True)
    if done.returncode > 1:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def fives(autoprof, series):
    """Makes disjoint comparisons of five runs with five, like diff."""
    runs = series["runs"]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda i: decide(autoprof, series, runs[i:i + 10], "-n", "5", "--min-runs=5"),
                             range(0, len(runs) - 9, 10)))


def one_after_the_other(autoprof, series, slower=1.0, most=30):
    """Makes disjoint comparisons with the default settings; drops the last one if the runs end before it does."""
    runs, at, found = series["runs"], 0, []
    while at < len(runs):
        result = decide(autoprof, series, runs[at:at + 2 * most], "-n", str(most), "--min-runs=1", slower=slower)
        used = len(result["runs"])
        if result["result"] is None or (result["result"]["verdict"] == "unclear" and used < 2 * most):
            break
        found.append(result)
        at += used
    return found


def claims(results):
    return sum(r["result"]["significant"] for r in results)


def seconds(result):
    return sum(run["wall_ns"] for run in result["runs"]) / 1e9


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |")


def percent(value, digits=2):
    return f"{100 * value:+.{digits}f} %"


def time(ns):
    for unit, size in (("ms", 1e6), ("us", 1e3)):
        if abs(ns) >= size:
            return f"{ns / size:#.4g}".rstrip(".") + " " + unit
    return f"{ns:.0f} ns"


def interval(change):
    return f"{percent(change['low'])} to {percent(change['high'])}" if change["low"] is not None else "-"


def unadjusted(result):
    """The result without adjustment for launch cost, if there was an adjustment."""
    if not result.get("adjustment"):
        return "-"
    plain = result["unadjusted"]
    return f"{percent(plain['change'])} ({interval(plain)}){', claimed' if plain['significant'] else ''}"


def itself(autoprof, data):
    print("### A program against itself\n")
    row("program", "runs", "step, median", "spread", "adjusted", "two runs differ by up to",
        "five against five: claims of a change", "default settings: claims", "runs per side, median",
        "3 % added to these runs: found")
    row(*["---"] * 10)
    for name, title in (("same_128", "width 128"), ("same_1024", "width 1024"), ("same_4096", "width 4096"),
                        ("same_torch", "PyTorch loop"), ("pinned_128", "width 128, four cores"),
                        ("pinned_1024", "width 1024, four cores")):
        series = load(data, name)
        if not series or len(series["runs"]) < 20:
            continue
        times = sorted(r["time_ns"] for r in series["runs"])
        middle = statistics.median(times)
        spread = 1.4826 * statistics.median(abs(t - middle) for t in times) / middle
        five, default = fives(autoprof, series), one_after_the_other(autoprof, series)
        added = one_after_the_other(autoprof, series, slower=1.03)
        right = sum(r["result"]["verdict"] == "slower" for r in added)
        adjustment = (series["result"] or {}).get("adjustment")
        row(title, len(times), time(middle), f"{100 * spread:.2f} %",
            f"{100 * adjustment['spread']:.2f} %" if adjustment else "-", f"{100 * (times[-1] / times[0] - 1):.1f} %",
            f"{claims(five)} of {len(five)}", f"{claims(default)} of {len(default)}",
            f"{statistics.median(r['result']['new_runs'] for r in default):g}" if default else "-",
            f"{right} of {len(added)}")
    print()


def changes(data):
    print("### Print against deferred, and against none\n")
    row("width", "change to", "base", "new", "change", "95 % interval", "not adjusted", "runs per side", "seconds", "verdict")
    row(*["---"] * 10)
    for width in (128, 1024, 4096):
        for other in ("deferred", "none"):
            found = load(data, f"print_{other}_{width}")
            if not found or not found["result"]:
                continue
            r = found["result"]
            row(width, other, time(r["base_median_ns"]), time(r["new_median_ns"]), percent(r["change"]), interval(r),
                unadjusted(r), r["new_runs"], f"{found['bench']['seconds']:.0f}", r["verdict"].replace("_", " "))
    print()


def spin(data, name, title):
    tries = [t for t in (load(data, f"{name}_{i}") for i in range(100)) if t]
    if not tries:
        return
    print(f"### 3 % of CPU work added to each step at width 1024{title}\n")
    row("try", "change", "95 % interval", "not adjusted", "runs per side", "seconds", "verdict")
    row(*["---"] * 7)
    for i, t in enumerate(tries):
        r = t["result"]
        row(i + 1, percent(r["change"]), interval(r), unadjusted(r), r["new_runs"], f"{t['bench']['seconds']:.0f}", r["verdict"])
    right = sum(t["result"]["verdict"] == "slower" for t in tries)
    print(f"\nFound in {right} of {len(tries)}; the longest took {max(t['bench']['seconds'] for t in tries):.0f} s.\n")


def differ(data):
    print("### What makes runs differ (width 128)\n")
    row("runs", "number", "step, median", "spread", "slowest / fastest", "preempted, median", "GPU MHz")
    row(*["---"] * 7)
    titles = {"free": "as the scheduler likes", "auto": "four cores near the GPU", "one_cpu": "one CPU", "two_cpus": "two CPUs",
              "four_cpus": "four CPUs", "other_end": "the last four CPUs",
              "no_aslr": "without address layout randomization", "no_aslr_two_cpus": "the same, on two CPUs",
              "malloc_huge": "malloc with huge pages", "eager_modules": "modules loaded at the start"}
    for name, title in titles.items():
        found = load(data, "differ_" + name)
        if not found:
            continue
        times = [r["time_ns"] for r in found["runs"]]
        middle = statistics.median(times)
        spread = 1.4826 * statistics.median(abs(t - middle) for t in times) / middle
        clocks = sorted({r["gpu_mhz"] for r in found["runs"] if r["gpu_mhz"]})
        row(title, len(times), time(middle), f"{100 * spread:.2f} %", f"{100 * (max(times) / min(times) - 1):.1f} %",
            f"{statistics.median(r['preempted'] for r in found['runs']):g}",
            f"{clocks[0]} to {clocks[-1]}" if clocks else "-")
    recorded = load(data, "differ_recorded")
    if recorded:
        times = recorded["recorded_step_median_ns"]
        middle = statistics.median(times)
        spread = 1.4826 * statistics.median(abs(t - middle) for t in times) / middle
        row("recorded in full (CUPTI)", len(times), time(middle), f"{100 * spread:.2f} %",
            f"{100 * (max(times) / min(times) - 1):.1f} %", "-", "-")
    print()


def main():
    autoprof, data = sys.argv[1], sys.argv[2]
    itself(autoprof, data)
    changes(data)
    spin(data, "spin", "")
    spin(data, "spin_pinned", ", both sides on one CPU")
    differ(data)


if __name__ == "__main__":
    main()
