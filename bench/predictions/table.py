# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a table of docs/predictions.md: predicted and measured steps.

    python3 table.py AUTOPROF FOLDER [DOCUMENT]

AUTOPROF is bin/autoprof; FOLDER is the output of run.py: measurements.tsv and
recordings. The predictions are made again from the recordings, with
calibration.json of FOLDER, if there is one. The table in DOCUMENT that begins
with the same pair is replaced.

The error is that of the predicted figure, in % of the step before: + if more was
gained than predicted. Its own uncertainty is that of the measured gain: a 95 %
bootstrap interval of the median of the differences between successive runs.
"""
import collections
import json
import pathlib
import random
import re
import statistics
import subprocess
import sys

import pairs


def predictions(autoprof, pair, recording, calibration=None):
    """The gain in ns per step as (low, middle, high), in unrecorded runs; None where
    autoprof makes no prediction."""
    report = json.loads(
        subprocess.run(pair.report(autoprof, recording, calibration), check=True, capture_output=True).stdout)
    here = lambda site: site["call"] in pair.calls and (not pair.file or (site["file"] or "").endswith("/" + pair.file))
    of_transfer = pair.question.startswith("pin")
    if not of_transfer and not any(site["steps"]["waits"] for site in report["sites"] if here(site) and site.get("steps")):
        floor = report["gain_resolution_ns"]
        return -floor, 0, floor  # Nothing waits: nothing to gain.
    answer = report["answer"]
    # Calls that wait in each other's place have an answer together.
    if answer and len(answer["members"]) > 1 and not of_transfer and all(
            here(site) for member in answer["members"] for site in member["sites"]):
        found = answer["mild"] if pair.question == "postpone" else answer["strong"] or answer["mild"]
        return found and tuple(found[f"{end}_ns"] for end in ("low", "middle", "high"))
    rows = [row for row in report["what_if"] if row["question"] == pair.question and row["sites"] and all(map(here, row["sites"]))]

    def gain(of, scale=1):
        values = [[of(row, end) for row in rows] for end in ("low", "middle", "high")]
        return None if not rows or None in values[0] else tuple(scale * sum(v) for v in values)

    return gain(lambda row, end: row[f"unrecorded_{end}_ns"], pair.share / report["steps"]["measured"])


def measurements(folder):
    """Returns {(pair, how, form): [ns]}, where how is "plain" or "recorded"."""
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
    """The cells of a row: step before, predicted, measured with its interval, error."""
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
    low, middle, high = predicted
    error = 100 * (gain - middle) / step
    inside = low <= most and least <= high
    return [us(step), f"{us(step - middle)} ({interval(step - high, step - low)})", measured, f"{error:+.1f} %" + ("" if inside else ", outside")]


def coverage(before, after, predicted):
    """Whether the interval contains the measured median gain, and its width in
    % of the step before."""
    gain = statistics.median(a - b for a, b in zip(before, after))
    low, _, high = predicted
    return low <= gain <= high, 100 * (high - low) / statistics.median(before)


HEAD = ["pair", "step", "predicted after", "measured after", "error", "runs"]


def variation(measured):
    """The difference between two successive runs of a program, in % of the step:
    the median over the pairs' programs."""
    runs = [measured[pair.name, "plain", "before"] for pair in pairs.ALL]
    return statistics.median(
        100 * statistics.median(abs(a - b) for a, b in zip(steps, steps[1:])) / statistics.median(steps)
        for steps in runs if len(steps) > 5)


def of_one_run(measured, names):
    """How often the gain measured by one run of both programs is within 3 % of the
    step of the median gain, in %: the mean over the pairs."""
    shares = []
    for name in names:
        before, after = (measured[name, "plain", form] for form in ("before", "after"))
        gains = [a - b for a, b in zip(before, after)]
        middle, limit = statistics.median(gains), 0.03 * statistics.median(before)
        shares.append(sum(abs(gain - middle) <= limit for gain in gains) / len(gains))
    return 100 * statistics.mean(shares)


def words(covered):
    if not covered:
        return "no interval was compared"
    inside, widths = zip(*covered)
    return (f"{sum(inside)} of {len(inside)} intervals contain the measured step, half are narrower than "
            f"{statistics.median(widths):.1f} %")


def table(autoprof, folder):
    rows, measured = [HEAD, ["---"] * len(HEAD)], measurements(folder)
    calibration = folder / "calibration.json"
    calibration = calibration if calibration.exists() else None
    covered, names = [], []
    for pair in pairs.ALL:
        recording = folder / f"{pair.recording}.pftrace.gz"
        sides = [measured[pair.name, "plain", form] for form in ("before", "after")]
        if not recording.exists() or not all(sides):
            continue
        predicted = predictions(autoprof, pair, recording, calibration)
        if predicted:
            covered.append(coverage(*sides, predicted))
        names.append(pair.name)
        rows.append([pair.name] + compared(*sides, predicted) + [str(min(map(len, sides)))])
    errors = [row[4].split(" %")[0] for row in rows[2:] if row[4] != "-"]
    near = sum(abs(float(error)) <= 3 for error in errors)
    return "".join("| " + " | ".join(row) + " |\n" for row in rows) + (
        f"\n{near} of {len(errors)} errors are within 3 % of the step. {words(covered)}. "
        f"Running both programs once, unrecorded, gives an error within 3 % in {of_one_run(measured, names):.0f} % of all runs. "
        f"Two runs of one program differ by {variation(measured):.2f} % (median of the pairs).\n")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    made = table(sys.argv[1], pathlib.Path(sys.argv[2]))
    if len(sys.argv) == 3:
        print(made, end="")
    else:
        document = pathlib.Path(sys.argv[3])
        first = lambda table: table.splitlines()[2].split("|")[1]
        text = re.sub(r"^\| pair \|.*\n(\|.*\n)*(\n\d+ of .*\n)?",
                      lambda found: made if first(found[0]) == first(made) else found[0],
                      document.read_text(), flags=re.M)
        document.write_text(text)
