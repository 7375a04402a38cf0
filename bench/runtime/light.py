#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the cost of light recording per step more precisely than processes differ.

    bench/runtime/light.py BUILD [--processes N] [--parts N] [--steps N]

Needs a GPU. BUILD holds bin/autoprof and the instrumented examples/mlp_train,
which runs at its launch-bound width, with its loss printed in each step, while
recording is switched on and off every few steps. The trace states the times of
switching: the steps of a recorded part are compared with the same number of steps
before and after it, in one process. The ratio does not include the cost of probes
while recording is off, some 5 ns per probe (bench/runtime/probes.sh).
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def step_range():
    """The range of a step: the training loop's iteration."""
    with open(os.path.join(ROOT, "examples", "mlp_train", "main.cu")) as source:
        for number, line in enumerate(source, 1):
            if "for (int step" in line:
                return f"loop:main.cu:{number}"
    sys.exit("light.py: there is no loop over steps in examples/mlp_train/main.cu")


def edges(trace):
    """The edges of the recording as [(ns, whether it is on from then)], from the trace (docs/trace-format.md, `window`)."""
    with open(trace, "rb") as file:
        stated = re.findall(rb'{"open":(true|false),"at_ns":(\d+)', file.read())
    return sorted({(int(at), on == b"true") for on, at in stated})  # The trace repeats some.


def ratios(times):
    """The ratios of each recorded part to the mean of the two unrecorded parts around it."""
    opened = [i for i, (_, on) in enumerate(times) if on]
    for i in opened[1:]:
        if i + 2 < len(times):
            before, part, behind = (times[i + k][0] - times[i + k - 1][0] for k in (0, 1, 2))
            yield part / ((before + behind) / 2)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--processes", type=int, default=5)
    parser.add_argument("--parts", type=int, default=200)
    parser.add_argument("--steps", type=int, default=100, help="of a part")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    n, count = options.steps, options.parts
    parts = ",".join(f"{(2 * i + 1) * n}:{(2 * i + 2) * n}" for i in range(count))
    found = []
    with tempfile.TemporaryDirectory() as scratch:
        trace = os.path.join(scratch, "t.pftrace")
        for process in range(options.processes):
            run = subprocess.run([os.path.join(build, "bin", "autoprof"), "run", "--mode=light", f"--steps={parts}", f"--range={step_range()}", "-o", trace, "--",
                            os.path.join(build, "examples", "mlp_train", "instrumented", "mlp_train"), "--width", "128", "--layers", "4", "--batch", "128",
                            "--steps", str((2 * count + 1) * n), "--loss", "print"],
                                 capture_output=True, text=True)
            if run.returncode:
                sys.exit(f"light.py: mlp_train ended with {run.returncode}:\n{run.stderr[-2000:]}")
            times = edges(trace)
            one = list(ratios(times))
            if len(one) < count // 2:
                sys.exit(f"light.py: the trace states {len(times)} edges; {2 * count} were expected")
            low, middle, high = statistics.quantiles(one, n=4)
            print(f"process {process}: light / not recorded: median {middle:.4f}, quartiles {low:.4f} and {high:.4f}, of {len(one)} parts of {n} steps, "
                  f"a step {(times[-1][0] - times[0][0]) / (2 * count * n) / 1000:.1f} us, {os.path.getsize(trace) / (count * n):.0f} bytes a recorded step",
                  flush=True)
            os.remove(trace)
            found.append(middle)
    print(f"light / not recorded: {statistics.median(found):.4f} (median of {len(found)} processes, {min(found):.4f} to {max(found):.4f})")


if __name__ == "__main__":
    main()
