# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of docs/loss-printing.md.

    python3 examples/recordings/table.py BUILD/bin/autoprof [--check] [--data FOLDER] [--page FILE]

They come from the recordings next to this file and from unrecorded runs: the files print_deferred_WIDTH.json and
print_none_WIDTH.json of `autoprof compare` in docs/data/compare (or FOLDER), or, if not all six exist, from
timings.tsv. The text between these lines of the page is replaced:

    <!-- recordings: made by examples/recordings/table.py -->
    <!-- end -->

--check writes nothing; the exit code is 1 if the page is not up to date.
"""
import argparse
import collections
import json
import pathlib
import re
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
DOCS = HERE.parents[1] / "docs"
WIDTHS, VARIANTS = ("128", "1024", "4096"), ("print", "deferred")
BLOCK = re.compile(r"(<!-- (\w+): made by examples/recordings/table\.py -->\n).*?(<!-- end -->\n)", re.S)


def time(ns):
    """Formats a time with three digits and a unit."""
    for unit, size in (("ms", 1e6), ("us", 1e3)):
        if abs(ns) >= size:
            return f"{ns / size:#.3g}".rstrip(".") + " " + unit
    return f"{ns:.0f} ns" if ns else "0"


def percent(share):
    return f"{100 * share:+.1f} %"


def table(*rows):
    rows = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    return "".join("| " + " | ".join(row) + " |\n" for row in rows)


def estimate(answer, steps):
    """The gain per step of an unrecorded run: "5.2 us (0 to 10.5 us)"."""
    low, middle, high = (answer[f"unrecorded_{end}_ns"] / steps for end in ("low", "middle", "high"))
    return f"{time(middle)} ({time(max(0, low))} to {time(high)})"


def single(report, question):
    """The answers to a question that are about a single site."""
    return [w for w in report["what_if"] if w["question"] == question and len(w["sites"]) == 1]


def recordings(reports):
    rows = [["width", "loss", "step time", "CPU waits per step", "lead when the wait began", "lead at step end",
             "GPU busy", "exposed stall per step", "gain per step, removed", "regime"]]
    for (width, loss), report in reports.items():
        steps, waits = report["steps"], [s for s in report["sites"] if s.get("steps", {}).get("waits")]
        n = steps["measured"]
        gain = [estimate(answer, n) for answer in single(report, "remove")]
        lead = [time(s["lead_median_ns"]) for s in waits]
        rows.append([
            width, loss, time(steps["median_ns"]),
            f"{time(steps['wait_ns'] / n)} ({100 * steps['wait_ns'] / steps['host_ns']:.0f} %)", ", ".join(lead) or "-",
            time(steps["lead_median_ns"]), f"{100 * steps['busy_ns'] / steps['span_ns']:.0f} %",
            time(steps["exposed_ns"] / n), ", ".join(gain) or "-",
            steps["regime"].replace("in_between", "no single limit").replace("_", "-").replace("gpu", "GPU").replace("cpu", "CPU")
        ])
    return table(*rows)


class Timings:
    """Step times of unrecorded runs of the program without probes, made in rounds: print, deferred, none."""

    caption = ("Unrecorded runs, made in turn: median step times, and the differences of the runs of one round (median,\n"
               "smallest and largest):\n")

    def __init__(self):
        self.runs = collections.defaultdict(list)
        for line in (HERE / "timings.tsv").read_text("utf-8").splitlines()[1:]:
            width, loss, program, ms = line.split("\t")
            if program == "plain":
                self.runs[width, loss].append(float(ms) * 1e6)

    def saved(self, width, other):
        pairs = sorted(a - b for a, b in zip(self.runs[width, "print"], self.runs[width, other]))
        return f"{time(statistics.median(pairs))} ({time(pairs[0])} to {time(pairs[-1])})"

    def table(self):
        rows = [["width", "print", "deferred", "never read", "print - deferred", "print - never read", "rounds"]]
        for width in WIDTHS:
            rows.append([width] + [time(statistics.median(self.runs[width, v])) for v in ("print", "deferred", "none")] +
                        [self.saved(width, other) for other in ("deferred", "none")] +
                        [str(len(self.runs[width, "print"]))])
        return table(*rows)


class Comparisons:
    """Step times from files of `autoprof compare`."""

    caption = ("`autoprof compare -- ./mlp_train --loss print ... -- ./mlp_train --loss deferred ...`, and the same with\n"
               "`--loss none`: median step times of unrecorded runs, and the change with its 95 % interval:\n")

    def __init__(self, found):
        self.found = found

    def saved(self, width, other):
        r = self.found[width, other]["result"]
        low, high = ("", "") if r["low"] is None else (time(-r["high"] * r["base_median_ns"]),
                                                       time(-r["low"] * r["base_median_ns"]))
        return time(-r["change"] * r["base_median_ns"]) + (f" ({low} to {high})" if low else "")

    def table(self):
        rows = [["width", "change to", "print", "new", "change", "95 % interval", "runs per side", "all runs took",
                 "verdict"]]
        for (width, other), file in self.found.items():
            r = file["result"]
            interval = "-" if r["low"] is None else f"{percent(r['low'])} to {percent(r['high'])}"
            seconds = sum(run["wall_ns"] for run in file["runs"]) / 1e9
            rows.append([width, {"none": "never read"}.get(other, other), time(r["base_median_ns"]),
                         time(r["new_median_ns"]), percent(r["change"]), interval, str(r["new_runs"]),
                         f"{seconds:.0f} s", r["verdict"].replace("_", " ")])
        return table(*rows)


def unrecorded(data):
    found = {}
    for width in WIDTHS:
        for other in ("deferred", "none"):
            path = data / f"print_{other}_{width}.json"
            if not path.exists():
                return Timings()
            found[width, other] = json.loads(path.read_text("utf-8"))
    return Comparisons(found)


def predictions(reports, runs):
    """Compares the predictions for unrecorded runs, from the replay of the print recording, with these runs."""
    rows = [["width", "remove: predicted", "never read: measured", "postpone: predicted", "deferred: measured"]]
    for width in WIDTHS:
        cells = [width]
        for question, other in (("remove", "none"), ("postpone", "deferred")):
            cells += [estimate(single(reports[width, "print"], question)[0], reports[width, "print"]["steps"]["measured"]), runs.saved(width, other)]
        rows.append(cells)
    return table(*rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("autoprof")
    parser.add_argument("--page", type=pathlib.Path, default=DOCS / "loss-printing.md")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--data", type=pathlib.Path, default=DOCS / "data" / "compare")
    arguments = parser.parse_args()
    reports = {}
    for width in WIDTHS:
        for loss in VARIANTS:
            path = HERE / f"mlp_d{width}_{loss}.pftrace.gz"
            reports[width, loss] = json.loads(subprocess.run([arguments.autoprof, "report", "--format=json", path],
                                                             check=True, capture_output=True).stdout)
    runs = unrecorded(arguments.data)
    blocks = {"recordings": recordings(reports), "unrecorded": runs.caption + "\n" + runs.table(),
              "predictions": predictions(reports, runs)}
    old = arguments.page.read_text("utf-8")
    new = BLOCK.sub(lambda m: m.group(1) + "\n" + blocks[m.group(2)] + "\n" + m.group(3), old)
    if new != old and arguments.check:
        sys.exit(f"{arguments.page} is not up to date: run examples/recordings/table.py")
    if new != old:
        arguments.page.write_text(new, "utf-8")


main()
