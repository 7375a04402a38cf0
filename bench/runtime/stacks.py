#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the cost of host stacks per step, on a GPU machine whose python3 has PyTorch.

    bench/runtime/stacks.py BUILD [--loops LOOP...] [--processes N] [--turns N] [--rounds N]

Runs loops of bench/torch/loops.py, each recorded in the mode `full`, in
`full+stacks` without looking for pauses (--stacks-pause=off), in `full+stacks`
with the threshold of 50 us, and not recorded. The processes of all variants exist
at the same time and take turns: in its turn a process makes some steps, and then
waits, so that other activity of the machine affects all of them. A turn's step
time is its wall-clock time until the GPU has finished, divided by its steps. The
ratio of a turn is to the `full` process of the same number in the same turn.
Processes differ too, so there are several of each variant.

Then runs mlp_train of BUILD, not instrumented, at width 128: processes in turn,
with the median step that each prints.
"""
import argparse
import itertools
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LOOPS = os.path.join(HERE, "..", "torch", "loops.py")
VARIANTS = {"plain": None, "full": ["--mode=full"], "stacks, pauses off": ["--stacks", "--stacks-pause=off"],
            "stacks, 50us": ["--stacks", "--stacks-pause=50us"]}
STEPS = {"launch": 40, "cpu": 20, "gpu": 4}


def work(loop):
    """The main function of a process: makes some steps for each line that it reads."""
    sys.path.insert(0, os.path.dirname(LOOPS))
    import loops
    import torch
    torch.manual_seed(1)
    steps = getattr(loops, f"{loop}_steps")()
    for line in itertools.chain(["30"], sys.stdin):
        if not (count := int(line)):
            break
        begin = time.perf_counter()
        for _ in range(count):
            next(steps)
        torch.cuda.synchronize()
        print((time.perf_counter() - begin) / count * 1e3, flush=True)


class Worker:
    def __init__(self, autoprof, options, loop, trace):
        command = [sys.executable, os.path.abspath(__file__), "--work", loop]
        if options:
            command = [autoprof, "run", *options, "-o", trace, "--", *command]
        self.trace, self.times = trace if options else None, []
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def turn(self, count):
        self.process.stdin.write(f"{count}\n")
        self.process.stdin.flush()
        self.times.append(float(self.process.stdout.readline()))

    def size(self):
        return os.path.getsize(self.trace) / 1e6 if self.trace else 0

    def finish(self):
        self.process.communicate("0\n")
        if self.process.returncode:
            sys.exit(f"{self.process.args} ended with {self.process.returncode}")


def row(program, variant, steps, ratios, size):
    low, _, high = statistics.quantiles(ratios, n=4)
    print(f"| {program} | {variant} | {statistics.median(steps):.4f} | {statistics.median(ratios):.3f} | "
          f"{low:.3f} to {high:.3f} | {size:.2f} MB |", flush=True)


def measure_loop(autoprof, loop, folder, options):
    workers = {v: [Worker(autoprof, o, loop, os.path.join(folder, f"{loop}-{v[-4:]}-{i}.pftrace"))
                   for i in range(options.processes)] for v, o in VARIANTS.items()}
    for group in workers.values():
        for worker in group:
            worker.process.stdout.readline()  # The process reports that it is warm.
    names = list(workers)
    for turn in range(options.turns):
        for i in range(options.processes):
            for name in names[turn % len(names):] + names[:turn % len(names)]:
                workers[name][i].turn(STEPS[loop])
    for name, group in workers.items():
        for worker in group:
            worker.finish()
        steps = [t for worker in group for t in worker.times]
        ratios = [t / base for worker, full in zip(group, workers["full"]) for t, base in zip(worker.times, full.times)]
        row(loop, name, steps, ratios, statistics.median(worker.size() for worker in group))


def measure_mlp(autoprof, program, folder, rounds):
    steps, trace = {v: [] for v in VARIANTS}, os.path.join(folder, "mlp.pftrace")
    sizes = dict.fromkeys(VARIANTS, 0)
    names = list(VARIANTS)
    for turn in range(rounds):
        for v in names[turn % len(names):] + names[:turn % len(names)]:
            command = [program, *"--width 128 --layers 4 --batch 128 --steps 1000 --loss print".split()]
            if VARIANTS[v]:
                command = [autoprof, "run", *VARIANTS[v], "-o", trace, "--", *command]
            told = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True).stdout
            steps[v].append(float(re.search(r"median step ([0-9.]+) ms", told).group(1)))
            sizes[v] = os.path.getsize(trace) / 1e6 if VARIANTS[v] else 0
    for v in names:
        row("mlp_train", v, steps[v], [a / b for a, b in zip(steps[v], steps["full"])], sizes[v])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    parser.add_argument("--loops", nargs="*", choices=STEPS, default=list(STEPS), metavar="LOOP", help=f"of {', '.join(STEPS)}")
    parser.add_argument("--processes", type=int, default=3, help="of each variant")
    parser.add_argument("--turns", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=10, help="of mlp_train")
    options = parser.parse_args()
    if options.work:
        return work(options.work)
    build = os.path.abspath(options.build)
    autoprof = os.path.join(build, "bin", "autoprof")
    print("| program | recorded | step, ms | ratio to full | middle half of the turns | trace |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for loop in options.loops:
            measure_loop(autoprof, loop, folder, options)
        if options.rounds:
            measure_mlp(autoprof, os.path.join(build, "examples/mlp_train/plain/mlp_train"), folder, options.rounds)


if __name__ == "__main__":
    main()
