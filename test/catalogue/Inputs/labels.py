# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that `autoprof explain` knows every label in reports on the terminal.

Usage: labels.py AUTOPROF FILE...; the files are reports, differences, and ranks,
printed with COLUMNS=400, so that columns are two blanks or more apart.
"""
import re
import subprocess
import sys

# Tables whose first column is labels, too.
FIRST_COLUMN = ("Where the GPU's time goes", "Why the GPU was idle", "In the steps")
# Lines of a name and its value.
SUMMARIES = ("Summary", "From the change to its effect")
# What is not a word of autoprof's, but plain English for what the cell has.
PLAIN = {
    "bytes", "total", "max", "min to max", "rate", "runs", "range", "API call", "memory operation",
    "kernel, copy or set", "kernel or range", "of the work", "the GPU's time", "host", "in it", "kernels", "copies without a concurrent kernel",
    "sets, nothing concurrent", "communication, nothing concurrent", "other GPU work", "what changed",
}


def cells(line):
    return [cell for cell in re.split(r"\s{2,}", line.strip()) if cell]


def labels(lines):
    """Of one report."""
    heading = ""
    for before, line in zip(lines, lines[1:]):
        if not line.startswith("  "):
            heading = ""
        elif before and not before.startswith(" ") and line.startswith("  "):
            heading = before
            if len(cells(line)) > 1 and not heading.startswith(("Findings", "Limitations", "Memory of") + SUMMARIES):
                yield from cells(line)
                continue
        if heading.startswith(SUMMARIES) and re.match(r"  \S", line) and len(cells(line)) > 1:
            yield cells(line)[0]
        if heading.startswith(FIRST_COLUMN) and re.match(r"  \S", line):
            if len(cells(line)) > 1:
                yield re.sub(r"^(idle|busy): ", "", cells(line)[0])
        if heading.startswith("Sites, by") and re.match(r"  \S.*\d", line) and len(cells(line)) > 4:
            yield cells(line)[1]


found = set()
for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as file:
        found.update(labels(file.read().split("\n")))
found = {re.sub(r", base$", "", re.sub(r"^GPU \d+$", "GPU 0", label)) for label in found} - PLAIN
assert len(found) > 40, found
unknown = [label for label in sorted(found)
           if subprocess.run([sys.argv[1], "explain", label], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode]
print(len(found), "labels")
assert not unknown, "docs/terms.md lacks " + ", ".join(unknown)
