# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the table of docs/predictions.md: predicted and measured steps.

    python3 table.py AUTOPROF FOLDER

AUTOPROF is bin/autoprof; FOLDER holds what run.py wrote: measurements.tsv and
recordings. The predictions are made anew, from the recordings.
"""
import collections
import json
import pathlib
import statistics
import subprocess
import sys

import pairs


def prediction(autoprof, pair, recording):
    """(least, greatest) gain in ns a step, or None where autoprof names none
    or has no such site."""
    report = json.loads(subprocess.run(pair.report(autoprof, recording), check=True, capture_output=True).stdout)
    gains = [site["steps"] for site in report["sites"]
             if (site["file"] or "").endswith("/" + pair.file) and site["call"] in pair.calls and site.get("steps")]
    if not gains or any(gain["gain_low_ns"] is None or gain["gain_high_ns"] is None for gain in gains):
        return None
    scale = pair.share / report["steps"]["measured"]
    return [scale * sum(gain[key] for gain in gains) for key in ("gain_low_ns", "gain_high_ns")]


def measurements(folder):
    """{(pair, how, form): [ns]}, how being plain or recorded."""
    result = collections.defaultdict(list)
    for line in (folder / "measurements.tsv").read_text().splitlines():
        if not line.startswith(("#", "pair\t")):
            pair, how, form, ns = line.split("\t")
            result[pair, how, form].append(float(ns))
    return result


def us(ns):
    return f"{ns / 1e3:.4g} us"


def compared(before, after, predicted):
    """Cells: step before, predicted, measured after, error, and by how much
    the measured gain is outside of the predicted interval; in % of the step."""
    if not before or not after:
        return ["-"] * 5
    step = statistics.median(before)
    gain = statistics.median(a - b for a, b in zip(before, after))
    measured = us(step - gain)
    if predicted is None:
        return [us(step), "-", measured, "-", "-"]
    low, high = predicted
    error = (gain - (low + high) / 2) / step
    outside = max(low - gain, gain - high, 0) / step
    return [us(step), f"{us(step - high)} to {us(step - low)}", measured, f"{100 * error:+.1f} %",
            f"{100 * outside:.1f} %"]


HEAD = ["pair", "before", "predicted after", "measured after", "error", "outside", "runs", "recorded: before",
        "predicted after", "measured after", "error", "outside"]


def table(autoprof, folder):
    rows, measured = [HEAD, ["---"] * len(HEAD)], measurements(folder)
    for pair in pairs.ALL:
        recording = folder / f"{pair.recording}.pftrace.gz"
        if not recording.exists():
            continue
        predicted = prediction(autoprof, pair, recording)
        plain, recorded = ([measured[pair.name, how, form] for form in ("before", "after")]
                           for how in ("plain", "recorded"))
        rows.append([pair.name] + compared(*plain, predicted) + [str(min(map(len, plain)))] +
                    compared(*recorded, predicted))
    return "".join("| " + " | ".join(row) + " |\n" for row in rows)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(table(sys.argv[1], pathlib.Path(sys.argv[2])), end="")
