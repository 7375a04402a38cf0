# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the table of docs/predictions.md: predicted and measured steps.

    python3 table.py AUTOPROF FOLDER

AUTOPROF is bin/autoprof; FOLDER holds what run.py wrote: measurements.tsv and
recordings. The predictions are made anew, from the recordings.

The error is that of the middle of the predicted interval, in % of the step
before: + where more was gained than predicted. Its own uncertainty is that of
the measured gain: a 95 % bootstrap interval of the median of the differences
between runs that followed each other.
"""
import collections
import json
import pathlib
import random
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


def bootstrap(values):
    chance = random.Random(1)
    medians = sorted(statistics.median(chance.choices(values, k=len(values))) for _ in range(2000))
    return medians[50], medians[-51]


def us(ns):
    return f"{ns / 1e3:#.4g}".rstrip(".")


def interval(low, high):
    return us(low) if us(low) == us(high) else f"{us(low)} to {us(high)}"


def compared(before, after, predicted):
    """Cells: step before, predicted, measured with its interval, error."""
    if not before or not after:
        return ["-"] * 4
    step = statistics.median(before)
    gains = [a - b for a, b in zip(before, after)]
    gain, (least, most) = statistics.median(gains), bootstrap(gains)
    measured = us(step - gain)
    if len(gains) > 5:
        measured += f" ({interval(step - most, step - least)})"
    if predicted is None:
        return [us(step), "-", measured, "-"]
    low, high = predicted
    error = 100 * (gain - (low + high) / 2) / step
    inside = low <= most and least <= high
    return [us(step), interval(step - high, step - low), measured, f"{error:+.1f} %" + ("" if inside else ", outside")]


HEAD = ["pair", "step", "predicted after", "measured after", "error", "runs", "recorded: step", "predicted after",
        "measured after", "error"]


def table(autoprof, folder):
    rows, measured = [HEAD, ["---"] * len(HEAD)], measurements(folder)
    for pair in pairs.ALL:
        recording = folder / f"{pair.recording}.pftrace.gz"
        if not recording.exists() or not measured[pair.name, "plain", "before"]:
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
