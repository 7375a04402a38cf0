# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the summaries of a large run from that of one rank:

    autoprof summarize rank0.pftrace | generate.py RANKS FOLDER

Each rank gets its own step times (normal noise of 1 %); in the middle of the run the
GPU work of one host's eight ranks is 15 % slower, and the last rank but one waits
three times as long. One rank is missing. The same arguments give the same files.
"""
import json
import pathlib
import random
import sys


def slowed(summary, factor, waits, random_numbers):
    steps = summary["steps"]
    steps["times"] = [max(1, round(t * factor * random_numbers.gauss(1, 0.01))) for t in steps["times"]]
    for key in ("median_ns", "p95_ns"):
        steps[key] = round(steps[key] * factor)
    for sums in [summary["in_steps"]] + summary["sites"]:
        for key in ("wait_ns", "exposed_ns"):
            if sums.get(key):
                sums[key] = round(sums[key] * waits * random_numbers.gauss(1, 0.02))
    for key in ("span_ns", "busy_ns"):
        summary["in_steps"][key] = round(summary["in_steps"][key] * factor)


def main():
    ranks, folder = int(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    text = sys.stdin.read()
    for rank in range(ranks):
        if rank == ranks // 4:
            continue
        summary, random_numbers = json.loads(text), random.Random(rank)
        slow_host = rank // 8 == ranks // 16
        slowed(summary, 1.15 if slow_host else 1.0, 3.0 if rank == ranks - 2 else 1.0, random_numbers)
        summary.update(rank=rank, local_rank=rank % 8, ranks=ranks, host=f"node{rank // 8}", pid=1000 + rank,
                       path=f"rank{rank}.pftrace")
        (folder / f"rank{rank}.summary.json").write_text(json.dumps(summary, separators=(",", ":")) + "\n")


main()
