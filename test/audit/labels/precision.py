#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scores findings of high and medium severity against random/*.tsv.

Those were drawn at random from what the audit found, and did not find, in the
three repositories, and judged by readers who saw the code and the finding, but
not how it was made (README.md, "A random sample"). Prints, for a half of the
files: how many findings are true, how many are useful at their severity, how
many advise something that would break the program, and how often each
confidence is right; and what becomes of waits that the audit was silent about.
Then the same of random/lesser.tsv, a sample of findings of any severity.

Needs what score.py needs; --results FOLDER --reuse takes audits that were kept.
Exit code: 0; 2: wrong usage, or the audit failed.
"""
import collections
import pathlib
import sys

from check import table
from score import audit, options, percent, share

FINDING_COLUMNS = ["repository", "path", "line", "rule", "half", "true", "worth", "advice", "reason"]
SILENT_COLUMNS = ["repository", "path", "line", "callee", "half", "missed", "rule", "reason"]
RANK = {"none": 0, "note": 0, "low": 1, "medium": 2, "high": 3}


def rows(path, columns):
    faults = []
    result = [row for _, row in table(path, columns, faults)]
    if faults:
        raise ValueError(faults[0])
    return result


def by_place(labels, key):
    return {(row["repository"], row["path"], int(row["line"]), row[key]): row for row in labels}


class Reports:
    """The audits of the repositories, and their findings by place."""

    def __init__(self, args, names):
        self.findings = {}
        for name in names:
            database = args.databases / name / "compile_commands.json"
            report = audit(args, name, database)
            root = (args.sources / name).resolve()
            for finding in report["findings"]:
                path = pathlib.Path(finding["file"])
                if path.is_absolute() and path.is_relative_to(root):
                    path = path.relative_to(root)
                self.findings[name, str(path), finding["line"], finding["rule"]] = finding

    def worst_at(self, repository, path, line):
        found = [RANK[f["severity"]] for (r, p, n, _), f in self.findings.items() if (r, p, n) == (repository, path, line)]
        return max(found, default=0)


def score(half, labels, reports, least="medium"):
    counts, rules, sure, wrong = collections.Counter(), collections.defaultdict(collections.Counter), {}, []
    for (repository, path, line, rule), row in sorted(by_place(labels, "rule").items()):
        finding = reports.findings.get((repository, path, line, rule))
        if row["half"] != half or not finding or RANK[finding["severity"]] < RANK[least]:
            continue
        true = row["true"] == "yes"
        useful = true and RANK[row["worth"]] >= RANK[finding["severity"]]
        for count in (counts, rules[rule]):
            count.update(all=1, true=true, useful=useful, danger=row["advice"] == "danger")
        sure.setdefault(finding["confidence"], collections.Counter()).update(all=1, true=true)
        if not (true and useful) or row["advice"] == "danger":
            wrong.append(f"  {repository}/{path}:{line}: {rule} ({finding['severity']}, {finding['confidence']}): true "
                         f"{row['true']}, worth {row['worth']}, advice {row['advice']}: {row['reason']}")
    return counts, rules, sure, wrong


def print_counts(counts, rules, sure):
    print(f"  {'rule':40} {'all':>5} {'true':>5} {'useful':>7} {'danger':>7}")
    for rule, c in [*sorted(rules.items()), ("all rules", counts)]:
        print(f"  {rule:40} {c['all']:5} {c['true']:5} {c['useful']:7} {c['danger']:7}")
    print(f"  true {percent(share(counts['true'], counts['all']))}, useful {percent(share(counts['useful'], counts['all']))}")
    for name, c in sorted(sure.items()):
        print(f"  confidence {name}: {percent(share(c['true'], c['all']))} of {c['all']} true")


def print_half(half, findings, silent, reports, details):
    counts, rules, sure, wrong = score(half, findings, reports)
    print(f"{half}: {counts['all']} labelled findings of high and medium severity")
    print_counts(counts, rules, sure)
    gone = collections.Counter((row["true"], row["worth"]) for row in findings if row["half"] == half
                               and RANK[row["worth"]] >= 2 and row["true"] == "yes"
                               and reports.worst_at(row["repository"], row["path"], int(row["line"])) < 2)
    print(f"  worth medium or more, and true, but now below: {sum(gone.values())}")
    own = [row for row in silent if row["half"] == half]
    missed = [row for row in own if RANK.get(row["missed"], 0) >= 2]
    print(f"  {len(own)} silent waits: {len(missed)} should have a finding of medium severity or more")
    if details:
        print("\n".join(wrong))


def print_lesser(labels, reports, details):
    counts, rules, sure, wrong = score("dev", labels, reports, least="note")
    print(f"lesser: {counts['all']} of {len(labels)} labelled findings are still reported, of any severity")
    print_counts(counts, rules, sure)
    if details:
        print("\n".join(wrong))


def main():
    parser, args = options()
    folder = args.labels / "random"
    try:
        findings, silent = rows(folder / "findings.tsv", FINDING_COLUMNS), rows(folder / "silent.tsv", SILENT_COLUMNS)
        lesser = rows(folder / "lesser.tsv", FINDING_COLUMNS)
        reports = Reports(args, sorted({row["repository"] for row in findings}))
    except (OSError, ValueError) as why:
        parser.error(str(why))
    for half in ("dev", "blind"):
        print_half(half, findings, silent, reports, args.list)
    print_lesser(lesser, reports, args.list)
    return 0


if __name__ == "__main__":
    sys.exit(main())
