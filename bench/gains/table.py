# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what an expert's changes gained next to what autoprof predicts.

    python3 table.py AUTOPROF FOLDER

AUTOPROF is bin/autoprof; FOLDER is the output of run.py. Where FOLDER has
NAME.json, that is the report of a program; otherwise autoprof makes it from
the recording. All gains are in % of the step before: measured with a 95 % bootstrap
interval of the median of the differences between successive runs, predicted as
the low, the middle and the high end.
"""
import collections
import json
import pathlib
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "predictions"))  # Before this folder, which has a table.py, too.
from table import bootstrap, us  # noqa: E402

HEAD = ["program", "step", "measured gain", "predicted", "inside?", "within 3 %?"]


def headline(report):
    """The gain that a report promises first, in % of the step: the low end of the
    least change, the middles of the least and of the most, and the high end."""
    answer = report["answer"]
    if answer is None:  # Nothing is worth a change.
        return 0.0, 0.0, 0.0, 0.0
    least, most = (answer["mild"] or answer["strong"]), (answer["strong"] or answer["mild"])
    share = lambda gain, end: 100 * gain[f"{end}_ns"] / gain["whole_ns"]
    return share(least, "low"), share(least, "middle"), share(most, "middle"), share(most, "high")


def report(autoprof, folder, name):
    """The JSON report on the recording of a program, or None if there is none."""
    made = folder / f"{name}.json"
    if made.exists():
        return json.loads(made.read_text())
    recording = folder / f"{name}.pftrace.gz"
    if not recording.exists():
        return None
    return json.loads(
        subprocess.run([autoprof, "report", "--format=json", recording], check=True, capture_output=True).stdout)


def measurements(folder):
    """Returns {program: {form: [ns]}}."""
    result = collections.defaultdict(lambda: {"before": [], "after": []})
    for line in (folder / "measurements.tsv").read_text().splitlines():
        if not line.startswith(("#", "program\t")):
            program, form, ns = line.split("\t")
            result[program][form].append(float(ns))
    return result


def row(name, before, after, predicted):
    """The cells of a program, and whether the prediction is inside and near."""
    step = statistics.median(before)
    gains = [100 * (a - b) / step for a, b in zip(before, after)]
    gain, (least, most) = statistics.median(gains), bootstrap(gains)
    cells = [name, us(step), f"{gain:.1f} ({least:.1f} to {most:.1f})"]
    if predicted is None:
        return cells + ["-"] * 3, None
    low, least_, most_, high = predicted
    inside, near = low <= gain <= high, least_ - 3 <= gain <= most_ + 3
    middles = f"{least_:.1f}" if least_ == most_ else f"{least_:.1f} to {most_:.1f}"
    cells += [f"{middles} ({low:.1f} to {high:.1f})", "yes" if inside else "no", "yes" if near else "no"]
    return cells, (inside, near, gain > 5 and high <= 0)


def table(autoprof, folder):
    rows, verdicts, factors = [HEAD, ["---"] * len(HEAD)], [], []
    for name, runs in measurements(folder).items():
        made = report(autoprof, folder, name)
        # The last round may have ended between the two forms.
        count = min(map(len, runs.values()))
        cells, verdict = row(name, runs["before"][:count], runs["after"][:count], headline(made) if made else None)
        rows.append(cells)
        if verdict:
            verdicts.append(verdict)
            steps = made["steps"]
            factors.append(steps["span_ns"] / steps["measured"] / statistics.median(runs["before"][:count]))
    inside, near, missed = (sum(column) for column in zip(*verdicts)) if verdicts else (0, 0, 0)
    either = sum(verdict[0] or verdict[1] for verdict in verdicts)
    return "".join("| " + " | ".join(cells) + " |\n" for cells in rows) + (
        f"\nSteps are in us, gains in % of the step. Of {len(verdicts)} predictions, {near} are within 3 % of the step, "
        f"{inside} intervals contain the measured gain, {either} are either. {missed} predict nothing where more than "
        f"5 % was gained. Recorded steps took {min(factors):.2f} to {max(factors):.2f} times as long as others.\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(table(sys.argv[1], pathlib.Path(sys.argv[2])), end="")
