#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how much longer the steps of programs take because they are recorded.

    bench/recorder/effect.py BUILD [--python PYTHON] [--gains PROGRAM] [--processes N] [--out FOLDER] [NAME...]

Needs a GPU. PYTHON has PyTorch, transformers, pytorch_lightning, jax and cupy; PROGRAM is
bench/gains, compiled. Each program runs in N processes plain and N recorded in full (those in
Python with --stacks). The processes of Python programs start together and take turns (steps.py),
so that each part of one is next to parts of the others. Of each kind the table has the medians of
the processes' steps.
"""
import argparse
import fcntl
import os
import re
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = {
    "PyTorch, eager": ["torch_loop.py", "eager", "1350"],
    "torch.compile": ["torch_loop.py", "compiled", "1350"],
    "Hugging Face Trainer": ["hf_trainer.py", "315"],
    "Lightning": ["lightning_loop.py", "900"],
    "JAX": ["jax_loop.py", "5400"],
    "CuPy": ["cupy_loop.py", "18000"],
}
GAINS = {"power_iteration": 100000, "ray_march": 60000, "training_metrics": 70000, "image_sharpen": 25000, "beam_forming": 15000, "merge_sort": 5000}
KINDS = ("plain", "recorded")


def command(options, kind, trace, program):
    if kind == "plain":
        return program
    stacks = ["--stacks"] if program[0] == options.python else []
    return [os.path.join(os.path.abspath(options.build), "bin", "autoprof"), "run", *stacks, "-o", trace, "--", *program]


def show(name, steps):
    plain, recorded = (statistics.median(steps[kind]) for kind in KINDS)
    spread = ["{:.0f} to {:.0f}".format(min(steps[kind]), max(steps[kind])) for kind in KINDS]
    print(f"| {name} | {plain:.0f} ({spread[0]}) | {recorded:.0f} ({spread[1]}) | {recorded / plain:.2f} |", flush=True)


def run_gains(options, name):
    steps = {kind: [] for kind in KINDS}
    for number in range(options.processes):
        for kind in KINDS:
            trace = os.path.join(options.out, f"{name}-{number}.pftrace")
            program = [os.path.abspath(options.gains), name, "before", str(GAINS[name])]
            done = subprocess.run(command(options, kind, trace, program), capture_output=True, text=True)
            found = re.search(r"^before ([0-9.]+)$", done.stdout, re.M)
            if not found:
                sys.exit(f"effect.py: {name} ended with {done.returncode}: {done.stderr[-1000:]}")
            steps[kind].append(float(found.group(1)) / 1000)
            if kind == "recorded":
                os.remove(trace)
    show(name, steps)


def run_python(options, names):
    turns = os.path.join(options.out, "turns")
    gate = open(turns, "w")
    fcntl.flock(gate, fcntl.LOCK_EX)
    started = []
    for number in range(options.processes):
        for name in names:
            for kind in KINDS:
                trace = os.path.join(options.out, f"{re.sub(r'[^a-z]+', '-', name.lower())}-{kind}-{number}.pftrace")
                program = [options.python, os.path.join(HERE, PYTHON[name][0]), *PYTHON[name][1:]]
                output = open(trace + ".txt", "w+")
                process = subprocess.Popen(command(options, kind, trace, program), stdout=output, stderr=subprocess.STDOUT,
                                           env=dict(os.environ, STEPS_TURNS=turns, OMP_NUM_THREADS="1"))
                started.append((name, kind, output, process))
    time.sleep(options.ready)
    fcntl.flock(gate, fcntl.LOCK_UN)
    steps = {name: {kind: [] for kind in KINDS} for name in names}
    for name, kind, output, process in started:
        process.wait()
        output.seek(0)
        text = output.read()
        found = re.search(r"^step_us ([0-9. ]+)$", text, re.M)
        if found:
            steps[name][kind].append(statistics.median(map(float, found.group(1).split())))
        else:
            print(f"effect.py: {name}, {kind}, ended with {process.returncode}: {text[-1000:]}", file=sys.stderr)
    for name in names:
        if all(steps[name].values()):
            show(name, steps[name])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--python", default="python3")
    parser.add_argument("--gains", metavar="PROGRAM")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--ready", type=float, default=90, metavar="SECONDS", help="until all Python programs have started")
    parser.add_argument("--out", default=".")
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    chosen = options.names or [*(GAINS if options.gains else []), *PYTHON]
    print("| program | plain, us | recorded, us | ratio |\n|---|---|---|---|")
    for name in chosen:
        if name in GAINS:
            run_gains(options, name)
    if any(name in PYTHON for name in chosen):
        run_python(options, [name for name in PYTHON if name in chosen])


if __name__ == "__main__":
    main()
