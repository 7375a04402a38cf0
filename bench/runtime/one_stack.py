#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the cost of one Python stack for the calling thread, and the cost of
looking for pauses for each launch, without a GPU.

    bench/runtime/one_stack.py BUILD [--python PYTHON] [--include CUDA_INCLUDE]

A thread makes 30,000 brief calls of the tests' stand-in for CUDA, for various
numbers of frames on the stack and of lines per function; the stack of one call in
64 is taken. The cost is the time from a call's end to the next call's beginning,
with a stack minus without: medians, without the first stacks, which are read with
extra care.

Then a thread makes launches, 12,000 in each process, with --stacks-pause=off and
without. The difference includes the runtime's part of two callbacks, but not
CUPTI's; medians over pairs of processes.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
INPUTS = os.path.join(ROOT, "test", "runtime", "Inputs")
LINE = "  if n < 0: x = x + n * 2 if x > 3 else x.__add__(n)\n"
PROGRAM = """
import ctypes
cuda = ctypes.CDLL("libcuda.so.1")
def calls(n):
    call = cuda.briefCopy
    for _ in range(n):
        call(None, None, 4)
for i in range({frames}):
    inner = "frame_%d(n)" % (i + 1) if i + 1 < {frames} else "calls(n)"
    exec(compile("def frame_%d(n, x=1):\\n%s  return %s\\n" % (i, {line!r} * {lines}, inner),
                 "/opt/venv/lib/python3.12/site-packages/torch/nn/modules/module.py", "exec"))
cuda.cuInit(0)
frame_0(30000)
"""

LAUNCHES = """
import ctypes, time
cuda = ctypes.CDLL("libcuda.so.1")
cuda.cuInit(0)
launch = cuda.cuLaunchKernel
times = []
for _ in range(8):
    begin = time.perf_counter()
    for _ in range(1500):
        launch(None, 1, 1, 1, 1, 1, 1, 0, None, None, None)
    times.append((time.perf_counter() - begin) / 1500 * 1e9)
    time.sleep(0.3)  # The stand-in for CUPTI has one buffer for each 0.2 s.
print(sorted(times)[len(times) // 2])
"""


def build_stand_ins(folder, include):
    for name, source, options in (("libcuda.so.1", "fake-cuda.cpp", ["-Wl,-soname,libcuda.so.1", "-ldl"]),
                                  ("libcupti.so.13", "fake-cupti.cpp", ["-std=c++17"])):
        subprocess.run(["clang++-22", "-O1", "-shared", "-fPIC", "-isystem", include, os.path.join(INPUTS, source),
                        "-o", os.path.join(folder, name), *options], check=True)


def cost(trace):
    sys.path.insert(0, INPUTS)
    from pftrace import Trace
    recorded = Trace(trace)
    stacks = {stack["id"] for stack in recorded.stacks}
    calls = sorted((s for s in recorded.slices if s["category"].startswith("cuda_")), key=lambda s: s["start"])
    gaps = {True: [], False: []}
    for call, after in zip(calls[10000:], calls[10001:]):
        gaps[call["id"] in stacks].append(after["start"] - call["end"])
    return statistics.median(gaps[True]) - statistics.median(gaps[False]), len(gaps[True])


def run(autoprof, python, folder, options, text):
    """Runs the program and returns its output; the trace is folder/t.pftrace."""
    program = os.path.join(folder, "program.py")
    with open(program, "w") as file:
        file.write(text)
    return subprocess.run([autoprof, "run", "--stacks", *options, "-o", os.path.join(folder, "t.pftrace"), "--", python, program],
                          cwd=folder, env=dict(os.environ, LD_LIBRARY_PATH=folder, FAKE_CUPTI="launches"),
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, text=True).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--include", default="/usr/local/cuda/include")
    parser.add_argument("--pairs", type=int, default=9)
    options = parser.parse_args()
    autoprof = os.path.join(os.path.abspath(options.build), "bin", "autoprof")
    print("| frames | lines of each function | ns a stack | stacks |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        build_stand_ins(folder, options.include)
        for frames, lines in ((1, 1), (8, 1), (8, 20), (16, 20), (16, 60)):
            run(autoprof, options.python, folder, ["--stacks-pause=off"], PROGRAM.format(frames=frames, lines=lines, line=LINE))
            nanoseconds, stacks = cost(os.path.join(folder, "t.pftrace"))
            print(f"| {frames} | {lines} | {nanoseconds:,.0f} | {stacks} |", flush=True)
        added = [float(run(autoprof, options.python, folder, [], LAUNCHES)) -
                 float(run(autoprof, options.python, folder, ["--stacks-pause=off"], LAUNCHES)) for _ in range(options.pairs)]
        low, middle, high = statistics.quantiles(added, n=4)
        print(f"looking for pauses: {middle:.0f} ns per launch ({low:.0f} to {high:.0f} in half of the pairs)")


if __name__ == "__main__":
    main()
