#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""factors.py FILE...: shows which figures of a process explain its launch-bound
step, using logarithms. The files hold the output of bench/compare/factor.cu, names first."""
import math
import statistics
import sys


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |")


for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        names, *lines = [line.split() for line in file]
    columns = {n: [math.log(float(v)) for v in values] for n, values in zip(names, zip(*lines))}
    step = columns["step"]
    print(f"{path}: {len(step)} processes\n")
    row("figure", "varies by", "explains of the step", "is left")
    row(*["---"] * 4)
    spread = statistics.stdev(step)
    for name, values in columns.items():
        r2 = statistics.correlation(step, values) ** 2
        row(name, f"{100 * statistics.stdev(values):.1f} %", f"{r2:.2f}", f"{100 * spread * math.sqrt(1 - min(1, r2)):.1f} %")
    a, b, both = (statistics.correlation(*pair) for pair in (
        (step, columns["launch"]), (step, columns["event"]), (columns["launch"], columns["event"])))
    r2 = (a * a + b * b - 2 * a * b * both) / (1 - both * both)
    row("launch and event", "-", f"{r2:.2f}", f"{100 * spread * math.sqrt(1 - r2):.1f} %")
    print()
