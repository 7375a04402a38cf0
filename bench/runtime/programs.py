#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the cost of recording a program: step time, CPU time, memory, bytes.

    bench/runtime/programs.py BUILD [--torch PYTHON] [--only NAME...] [--modes MODE...] [--bare LIBRARY] [--nsys PROGRAM]
                              [--rounds N] [--steps N] [--seconds S]

Needs a GPU. BUILD holds bin/autoprof and examples/mlp_train, plain and
instrumented. mlp_train at three widths, with its loss printed in each step, runs
plain (twice: the ratio of the two shows how small a difference this machine can
resolve), instrumented without a recorder, and in each mode of `autoprof run`; with
--torch (a python3 that has PyTorch) so does a training loop, also as a CUDA graph,
compared with torch.profiler. --bare (cupti.cpp, built as in run.sh) and --nsys add
CUPTI alone and Nsight Systems. Each round starts each variant once and measures
them in turn; each run is printed when it ends. The tables show medians over the
rounds; ratios are medians of the ratios to the plain run of the same round. CPU
time and memory are those of the whole process, including start-up.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
MODES = ["light", "light+calls", "full", "full+stacks"]
NODES = "full --graphs=node"
WIDTHS = {"width128": (128, 128), "width1024": (1024, 128), "width4096": (4096, 512)}
PROGRAMS = [*WIDTHS, "torch", "torch-graph"]


class Run:
    """A process. If it waits for its turn, it prints `ready` and reads a line."""

    def __init__(self, command, waits, trace=None, **variables):
        self.command, self.trace = command, trace
        self.output = tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE if waits else subprocess.DEVNULL,
                                        stdout=self.output, stderr=subprocess.STDOUT, text=True, env={**os.environ, **variables})
        self.waits = waits

    def text(self):
        return os.pread(self.output.fileno(), 1 << 20, 0).decode()  # Keeps the file position, at which the process writes.

    def become_ready(self):
        while self.waits and "ready" not in self.text():
            if self.process.poll() is not None:
                self.fail()
            time.sleep(0.05)

    def finish(self):
        """Returns (median step in ms, CPU seconds, peak MiB, bytes of the trace or None)."""
        if self.waits:
            self.process.stdin.write("go\n")
            self.process.stdin.close()
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        found = re.search(r"median step ([0-9.]+) ms", self.text())
        if status or not found:
            self.fail()
        return (float(found.group(1)), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024,
                os.path.getsize(self.trace) if self.trace else None)

    def fail(self):
        sys.exit(f"{' '.join(self.command)} ended with {self.process.returncode}:\n{self.text()[-2000:]}")


def measure_round(variants, waits, turn):
    """Runs each variant once: {variant: Run.finish()}. Those that wait start together. Each turn begins with another one."""
    names = list(variants)
    names = names[turn % len(names):] + names[:turn % len(names)]
    variants = {name: variants[name] for name in names}
    if not waits:
        return {name: start().finish() for name, start in variants.items()}
    runs = {name: start() for name, start in variants.items()}
    for run in runs.values():
        run.become_ready()
    return {name: run.finish() for name, run in runs.items()}


def measure(program, variants, waits, options):
    print(f"\n{program}: step in ms, a line a round: {'; '.join(variants)}", flush=True)
    rounds, begin = [], time.monotonic()
    while len(rounds) < options.rounds:
        rounds.append(measure_round(variants, waits, turn=len(rounds)))
        print(" ".join(f"{rounds[-1][variant][0]:.4f}" for variant in variants), flush=True)
        took = (time.monotonic() - begin) / len(rounds)
        if took * (len(rounds) + 1) > options.seconds:
            break
    print(f"\n| program | mode | step, ms | ratio, median of {len(rounds)} | of the rounds | CPU, s | memory, MiB | trace |\n"
          "|---|---|---|---|---|---|---|---|")
    for variant in variants:
        steps, cpu, memory, size = zip(*(results[variant] for results in rounds))
        ratios = [step / results["plain"][0] for step, results in zip(steps, rounds)]
        print(f"| {program} | {variant} | {statistics.median(steps):.4f} | {statistics.median(ratios):.3f} | "
              f"{min(ratios):.3f} to {max(ratios):.3f} | {statistics.median(cpu):.2f} | {statistics.median(memory):.0f} | "
              f"{'-' if size[0] is None else f'{statistics.median(size) / 1e6:.2f} MB'} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no round of a program that would end later than this")
    parser.add_argument("--torch", metavar="PYTHON")
    parser.add_argument("--bare", metavar="LIBRARY")
    parser.add_argument("--nsys", metavar="PROGRAM")
    parser.add_argument("--only", nargs="+", choices=PROGRAMS, default=PROGRAMS, metavar="PROGRAM", help=f"of {', '.join(PROGRAMS)}")
    parser.add_argument("--modes", nargs="*", choices=MODES, default=MODES, metavar="MODE", help=f"of {', '.join(MODES)}")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    autoprof = os.path.join(build, "bin", "autoprof")
    with tempfile.TemporaryDirectory() as scratch:

        def under(mode, command, waits=False):
            trace = os.path.join(scratch, f"{mode}.pftrace")

            def start():
                if os.path.exists(trace):
                    os.remove(trace)
                return Run([autoprof, "run", f"--mode={mode.split()[0]}", *mode.split()[1:], "-o", trace, "--", *command], waits, trace)
            return start

        def rivals(command, waits):
            result = {}
            if options.bare:
                library = os.path.abspath(options.bare)
                result["bare CUPTI"] = lambda: Run(command, waits, CUDA_INJECTION64_PATH=library)
            if options.nsys:
                session = [options.nsys, "profile", "-t", "cuda", "-s", "none", "--force-overwrite", "true", "-o", os.path.join(scratch, "nsys")]
                result["Nsight Systems"] = lambda: Run(session + command, waits)
            return result

        for name in options.only:
            if name not in WIDTHS:
                continue
            width, batch = WIDTHS[name]
            arguments = ["--width", str(width), "--layers", "4", "--batch", str(batch), "--steps", str(options.steps), "--loss", "print"]
            plain, probes = ([os.path.join(build, "examples", "mlp_train", kind, "mlp_train"), *arguments]
                             for kind in ("plain", "instrumented"))
            measure(f"mlp_train, width {width}",
                    {"plain": lambda: Run(plain, False), "plain again": lambda: Run(plain, False), "probes, no recorder": lambda: Run(probes, False),
                     **{mode: under(mode, probes) for mode in options.modes}, **rivals(plain, False)}, False, options)
        loop = [options.torch, os.path.join(HERE, "torch_loop.py"), str(options.steps)]
        for name, title, words in ("torch", "PyTorch loop", []), ("torch-graph", "PyTorch loop as a CUDA graph", ["graph"]):
            if not options.torch or name not in options.only:
                continue
            modes = [*options.modes, NODES] if words and "full" in options.modes else options.modes
            measure(title,
                    {"plain": lambda: Run(loop + words, True), "plain again": lambda: Run(loop + words, True),
                     **{mode: under(mode, loop + words, True) for mode in modes}, **rivals(loop + words, True),
                     "torch.profiler, CUDA": lambda: Run(loop + ["cuda", *words], True),
                     "torch.profiler, CPU and CUDA": lambda: Run(loop + ["cpu+cuda", *words], True)}, True, options)


if __name__ == "__main__":
    main()
