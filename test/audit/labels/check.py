#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the labels of this folder and prints how many there are.

With --sources DIR, which holds the repositories in folders named as the
files, every callee is looked up on its line. Exit code 0: all is well; 1:
faults, one a line; 2: wrong usage.
"""
import argparse
import collections
import hashlib
import pathlib
import re
import sys

# Rules that the audit had when the labels were made.
GONE = {f"autoprof-{name}" for name in (
    "copy-small-scattered", "debug-lazy-load-timed", "debug-blocking",
    "debug-device-printf", "graph-capture-sync", "memory-pool-trimmed",
    "host-callback-blocks", "host-managed-touch", "host-poll-loop",
    "library-solver-info-readback", "readback-discarded-log",
    "stream-legacy-serializes",
    "sync-device-wide", "sync-for-errors", "thrust-default-stream")}
COLUMNS = ["path", "line", "callee", "waits", "rule", "in_loop", "severity",
           "half", "reason"]
FILE_COLUMNS = ["repository", "path", "complete", "needs"]
VALUES = {
    "waits": {"yes", "no", "maybe"},
    "in_loop": {"no", "loop", "step", "poll"},
    "severity": {"-", "note", "low", "medium", "high"},
}
AT_LEAST = 200  # labels of calls that wait, and of calls that do not


def known_rules():
    """The audit's rules, in the order in which they are shown."""
    rules = pathlib.Path(__file__).resolve().parents[3] / "tool/audit/Rules.def"
    return re.findall(r'^RULE\("(autoprof-[a-z-]+)"', rules.read_text(), re.M)


def without_gone(row):
    """The row as if rules that no longer exist had not been labelled."""
    left = [r for r in row["rule"].split("|") if r not in GONE]
    if not left:
        return {**row, "rule": "-", "severity": "-"}
    return {**row, "rule": "|".join(left)}


def half_of(repository, path):
    digest = hashlib.sha256(f"{repository}/{path}".encode()).digest()
    return "test" if digest[0] & 1 else "dev"


def table(file, columns, faults):
    """The rows of a file as (line number, dict), comments left out."""
    rows, names = [], None
    for number, text in enumerate(file.read_text().splitlines(), 1):
        if text.startswith("#"):
            continue
        cells = text.split("\t")
        if names is None:
            names = cells
            if names != columns:
                faults.append(f"{file.name}:{number}: the columns are to be "
                              + ", ".join(columns))
                return []
        elif len(cells) != len(columns) or "" in cells:
            faults.append(f"{file.name}:{number}: a row needs {len(columns)} "
                          "cells, none of them empty")
        else:
            rows.append((number, dict(zip(columns, cells))))
    return rows


def faults_of_row(row, repository, rules):
    """What is wrong with one row, taken by itself."""
    for column, values in VALUES.items():
        if row[column] not in values:
            yield f"{column} '{row[column]}' is none of {', '.join(sorted(values))}"
    if not row["line"].isdigit() or int(row["line"]) < 1:
        yield f"line '{row['line']}' is no line number"
    named = [] if row["rule"] == "-" else row["rule"].split("|")
    for rule in named:
        if rule not in rules and rule not in GONE:
            yield f"rule '{rule}' is not defined in Rules.def"
    if len(set(named)) != len(named):
        yield f"rule '{row['rule']}' names a rule twice"
    if (row["rule"] == "-") != (row["severity"] == "-"):
        yield "a severity and a rule belong together"
    if row["half"] != half_of(repository, row["path"]):
        yield f"half is to be {half_of(repository, row['path'])}"
    if not row["reason"].endswith("."):
        yield "the reason is to be a sentence"


def check_labels(file, rules, faults):
    """The rows of one repository's file."""
    if not re.match(r"# \S+ commit [0-9a-f]{40}\n", file.read_text()):
        faults.append(f"{file.name}:1: a comment with the repository's commit "
                      "is to come first")
    rows = table(file, COLUMNS, faults)
    last = None
    for number, row in rows:
        for fault in faults_of_row(row, file.stem, rules):
            faults.append(f"{file.name}:{number}: {fault}")
        if not row["line"].isdigit():
            continue
        key = (row["path"], int(row["line"]), row["callee"])
        if last is not None and key <= last:
            what = "twice" if key == last else "not sorted by path, line, callee"
            faults.append(f"{file.name}:{number}: {what}")
        last = key
    return rows


def check_files(file, labelled, faults):
    """files.tsv names exactly the files with labels; gives those that need
    nothing beyond the toolkit."""
    named, toolkit = set(), set()
    for number, row in table(file, FILE_COLUMNS, faults):
        named.add((row["repository"], row["path"]))
        if row["complete"] not in ("yes", "no"):
            faults.append(f"{file.name}:{number}: complete is yes or no")
        if row["needs"] == "-":
            toolkit.add((row["repository"], row["path"]))
    for repository, path in sorted(named ^ labelled):
        faults.append(f"{file.name}: {repository}/{path} is "
                      + ("not labelled" if (repository, path) in named
                         else "missing"))
    return toolkit


def spelling(callee):
    """What stands in the source for a callee, or None for an operator."""
    name = callee.split("::")[-1].lstrip("~")
    return name if re.fullmatch(r"\w+", name) else None


def check_sources(sources, labels, faults):
    """Every callee stands on its line of the repository's file."""
    texts = {}
    for repository, name, number, row in labels:
        path = sources / repository / row["path"]
        if path not in texts:
            texts[path] = (path.read_text(errors="replace").splitlines()
                           if path.is_file() else None)
        text, word = texts[path], spelling(row["callee"])
        line = int(row["line"])
        if text is None:
            faults.append(f"{name}:{number}: there is no {path}")
        elif line > len(text) or (
                word and not re.search(rf"\b{word}\b", text[line - 1])):
            faults.append(f"{name}:{number}: no {row['callee']} on line {line} "
                          f"of {row['path']}")


def print_counts(labels, toolkit, rules):
    """Labels by waits and by (first) rule; those of files that need nothing
    beyond the toolkit once more in a column of their own."""
    rows = [row for _, _, _, row in labels]
    waits = collections.Counter(row["waits"] for row in rows)
    print(f"{len(rows)} labels of {len({row['callee'] for row in rows})} "
          "callees: " +
          ", ".join(f"waits {w} {waits[w]}" for w in ("yes", "no", "maybe")))
    print(f"{'rule':40} {'all':>5} {'dev':>5} {'test':>5} {'toolkit':>8}")
    for rule in ["-"] + rules:
        of_rule = [(repository, row) for repository, _, _, row in labels
                   if row["rule"].split("|")[0] == rule]
        dev = sum(row["half"] == "dev" for _, row in of_rule)
        alone = sum((repository, row["path"]) in toolkit
                    for repository, row in of_rule)
        print(f"{rule:40} {len(of_rule):5} {dev:5} {len(of_rule) - dev:5} "
              f"{alone:8}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    here = pathlib.Path(__file__).parent
    parser.add_argument("--labels", type=pathlib.Path, default=here,
                        help="the folder with the labels (default: this one)")
    parser.add_argument("--sources", type=pathlib.Path,
                        help="a folder with the repositories, to look calls up")
    args = parser.parse_args()
    for folder in filter(None, (args.labels, args.sources)):
        if not folder.is_dir():
            parser.error(f"there is no folder {folder}")
    files = args.labels / "files.tsv"
    if not files.is_file():
        parser.error(f"there is no {files}")

    rules, faults, labels = known_rules(), [], []
    for file in sorted(args.labels.glob("*.tsv")):
        if file != files:
            labels += [(file.stem, file.name, number, without_gone(row))
                       for number, row in check_labels(file, rules, faults)]
    labelled = {(repository, row["path"]) for repository, _, _, row in labels}
    toolkit = check_files(files, labelled, faults)
    if args.sources and not faults:
        check_sources(args.sources, labels, faults)
    for waits in ("yes", "no"):
        count = sum(row["waits"] == waits for _, _, _, row in labels)
        if count < AT_LEAST:
            faults.append(f"{count} labels with waits = {waits}: at least "
                          f"{AT_LEAST} are needed")

    print_counts(labels, toolkit, rules)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
