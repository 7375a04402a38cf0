#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how well steps timed in the process tell the factor by which recording lengthens a step.

    bench/runtime/factor.py BUILD [--rounds N] [--torch PYTHON] [--traces FOLDER]

Needs a GPU. BUILD holds bin/autoprof and the instrumented examples/mlp_train.
Each program runs in turn without a recorder, recorded completely, and recorded
after steps that were timed (--unrecorded=15). Step times of processes are those that the
program prints; the factors are those of `autoprof report`. Processes of one
program differ by 10 to 20 % if the CPU is the limit, so the ratio between
processes needs many rounds.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

from light import step_range

HERE = os.path.dirname(os.path.abspath(__file__))
TIMED = "--unrecorded=15"


def programs(build, torch):
    """Returns {name: (command, range of the step)}."""
    mlp = os.path.join(build, "examples", "mlp_train", "instrumented", "mlp_train")
    step = step_range()
    result = {
        f"mlp_train, width {width}": ([mlp, "--width", width, "--layers", "4", "--batch", batch, "--steps", steps, "--loss", loss], step)
        for width, batch, steps, loss in (("128", "128", "400", "print"), ("1024", "256", "400", "none"), ("4096", "512", "100", "none"))
    }
    if torch:
        loops = os.path.join(os.path.dirname(HERE), "torch", "loops.py")
        for loop in ("launch", "cpu"):
            result[f"PyTorch, {loop}"] = ([torch, loops, loop, "--steps", "150", "--nvtx"], "range:step")
    return result


def median_step(command):
    """The median step in ms, as printed by the program."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    found = re.search(r"^median step ([0-9.]+) ms", result.stdout, re.M)
    if result.returncode or not found:
        sys.exit(f"factor.py: {' '.join(command)} ended with {result.returncode}:\n{result.stdout[-2000:]}")
    return float(found.group(1))


def recorder(autoprof, trace, step):
    report = subprocess.run([autoprof, "report", "--format=json", f"--step={step}", trace], stdout=subprocess.PIPE, check=True)
    return json.loads(report.stdout)["recorder"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--torch", metavar="PYTHON", help="an interpreter that has PyTorch")
    parser.add_argument("--traces", metavar="FOLDER", help="keep them there")
    options = parser.parse_args()
    autoprof = os.path.join(os.path.abspath(options.build), "bin", "autoprof")
    print("| program | plain, ms | recorded | ratio | timed in the process | of the rounds |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.traces or scratch
        for name, (command, step) in programs(os.path.abspath(options.build), options.torch).items():
            plain, recorded, timed = [], [], []
            for number in range(options.rounds):
                stem = os.path.join(folder, re.sub(r"\W+", "-", name) + f"-{number}")
                plain.append(median_step(command))
                recorded.append(median_step([autoprof, "run", "--unrecorded=0", "-o", stem + "-whole.pftrace", "--", *command]))
                median_step([autoprof, "run", TIMED, f"--range={step}", "-o", stem + "-timed.pftrace", "--", *command])
                timed.append(recorder(autoprof, stem + "-timed.pftrace", step))
            factors = [found["factor"] for found in timed]
            spread = f"{min(factors):.2f} to {max(factors):.2f}"
            a, b = statistics.median(plain), statistics.median(recorded)
            print(f"| {name} | {a:.4f} | {b:.4f} | {b / a:.3f} | {statistics.median(factors):.3f} | {spread} |", flush=True)


if __name__ == "__main__":
    main()
