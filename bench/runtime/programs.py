#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What recording costs a program: step time, CPU time, memory, bytes.

    bench/runtime/programs.py BUILD [--rounds N] [--steps N] [--torch PYTHON]

On a GPU machine. BUILD holds bin/autoprof and examples/mlp_train, plain and
instrumented. mlp_train at three widths, its loss printed in each step, runs
plain, instrumented without a recorder, and under each mode of `autoprof run`;
with --torch (a python3 that has PyTorch) a training loop, too, beside
torch.profiler. Each round runs each once, in turn. The table shows medians over the
rounds; ratios are medians of the ratios to the plain run of the same round.
CPU time and memory are of the whole process, start-up included.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MODES = ["light", "light+calls", "full", "full+stacks"]


def run(command):
    """(median step in ms, CPU seconds, peak MiB) of one run."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        output.seek(0)
        text = output.read()
    found = re.search(r"median step ([0-9.]+) ms", text)
    if status or not found:
        sys.exit(f"{' '.join(command)} ended with {status}:\n{text[-2000:]}")
    return float(found.group(1)), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def recorded(autoprof, mode, trace, command):
    """As run(), of the program alone, and the bytes of its trace."""
    if os.path.exists(trace):
        os.remove(trace)
    result = run([autoprof, "run", f"--mode={mode}", "-o", trace, "--", *command])
    return (*result, os.path.getsize(trace))


def measure(name, variants, rounds):
    rows = {variant: [] for variant in variants}
    for _ in range(rounds):
        for variant, one in variants.items():
            rows[variant].append(one())
    plain = rows["plain"]
    for variant, results in rows.items():
        ratios = [r[0] / p[0] for r, p in zip(results, plain)]
        size = f"{statistics.median(r[3] for r in results) / 1e6:.2f} MB" if len(results[0]) > 3 else "-"
        print(f"| {name} | {variant} | {statistics.median(r[0] for r in results):.4f} | {statistics.median(ratios):.3f} | "
              f"{min(ratios):.3f} to {max(ratios):.3f} | {statistics.median(r[1] for r in results):.2f} | "
              f"{statistics.median(r[2] for r in results):.0f} | {size} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--torch", metavar="PYTHON")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    autoprof = os.path.join(build, "bin", "autoprof")
    print("| program | mode | step, ms | ratio | of the rounds | CPU, s | memory, MiB | trace |\n|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        trace = os.path.join(scratch, "t.pftrace")

        def under(mode, command):
            return lambda: recorded(autoprof, mode, trace, command)

        for width, batch in ((128, 128), (1024, 128), (4096, 512)):
            arguments = ["--width", str(width), "--layers", "4", "--batch", str(batch), "--steps", str(options.steps), "--loss", "print"]
            plain, probes = ([os.path.join(build, "examples", "mlp_train", kind, "mlp_train"), *arguments]
                             for kind in ("plain", "instrumented"))
            measure(f"mlp_train, width {width}",
                    {"plain": lambda: run(plain), "probes, no recorder": lambda: run(probes),
                     **{mode: under(mode, probes) for mode in MODES}}, options.rounds)
        if options.torch:
            loop = [options.torch, os.path.join(HERE, "torch_loop.py"), str(options.steps)]
            measure("PyTorch loop",
                    {"plain": lambda: run(loop), **{mode: under(mode, loop) for mode in MODES},
                     "torch.profiler, CUDA": lambda: run(loop + ["cuda"]),
                     "torch.profiler, CPU and CUDA": lambda: run(loop + ["cpu+cuda"])}, options.rounds)


if __name__ == "__main__":
    main()
