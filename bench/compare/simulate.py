#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows what adjusting for launch cost would gain on measured runs.

    bench/compare/simulate.py BUILD/bin/autoprof DATA NAME [REPETITIONS]

The runs of the series NAME in DATA (bench/compare/gpu.py --only same) are put
in random order, and given launch costs, a known share of whose variance is
explained by the step time. Comparisons with the default settings are formed
from them, with nothing changed and with 3 % added on one side.
"""
import math
import random
import statistics
import sys

import tables

COST_VARIES = 0.117  # As measured by bench/compare/factor.cu.


def with_costs(runs, explained):
    logs = [math.log(run["time_ns"]) for run in runs]
    mean, deviation = statistics.mean(logs), statistics.stdev(logs)
    for run, log in zip(runs, logs):
        score = math.sqrt(explained) * (log - mean) / deviation + math.sqrt(1 - explained) * random.gauss(0, 1)
        yield dict(run, launch_ns=round(3800 * math.exp(COST_VARIES * score)))


def main():
    autoprof, data, name = sys.argv[1:4]
    repetitions = int(sys.argv[4]) if len(sys.argv) > 4 else 10
    random.seed(1)
    series = tables.load(data, name)
    tables.row("launches explain", "nothing changed: claims", "3 % added: found", "runs per side, median")
    tables.row(*["---"] * 4)
    for explained in (0, 0.61, 0.87):
        claims, found = [], []
        for _ in range(repetitions):
            runs = random.sample(series["runs"], len(series["runs"]))
            shuffled = dict(series, runs=list(with_costs(runs, explained)))
            claims += tables.one_after_the_other(autoprof, shuffled)
            found += tables.one_after_the_other(autoprof, shuffled, slower=1.03)
        right = sum(r["result"]["verdict"] == "slower" for r in found)
        tables.row(explained, f"{tables.claims(claims)} of {len(claims)}", f"{right} of {len(found)}",
                   statistics.median(r["result"]["new_runs"] for r in found))


if __name__ == "__main__":
    main()
