#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What reports of Python programs say, and what the change that an expert makes brings.

    run.py [--pairs N] BUILD OUT [PROGRAM...]

Records each program as it is (before) and writes its report to OUT/PROGRAM.txt; then
runs it in turn as it is and with the change, not recorded. OUT/table.txt has a line for each:
the mean step of each process in milliseconds, and the change of their medians. `ddp` needs two GPUs.
"""
import argparse
import pathlib
import re
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = sorted(p.stem for p in HERE.glob("*.py") if p.stem not in ("clock", "run"))
TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", "--no-python"]


def command(program, form, recorder=()):
    launcher = TORCHRUN if program == "ddp" else []
    return [*launcher, *recorder, sys.executable, str(HERE / f"{program}.py"), form]


def run(arguments, log):
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=180)
    log.write(f"$ {' '.join(arguments)}\n{done.stdout[-300:]}{done.stderr[-3000:]}\nstatus {done.returncode}\n")
    log.flush()
    return done


def record(program, build, out, log):
    name = str(out / program) + ("-%q{RANK}" if program == "ddp" else "") + ".pftrace"
    run(command(program, "before", [f"{build}/bin/autoprof", "run", "--stacks", "-o", name, "--"]), log)
    traces = sorted(str(trace) for trace in out.glob(f"{program}*.pftrace"))
    done = run([f"{build}/bin/autoprof", "report", *traces], log)
    (out / f"{program}.txt").write_text(done.stdout + done.stderr)


def step(program, form, log):
    times = re.findall(r"step_ms ([0-9.]+)", run(command(program, form), log).stderr)
    return statistics.mean(map(float, times)) if times else float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("programs", nargs="*", default=[p for p in PROGRAMS if p != "ddp"])
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with open(options.out / "log.txt", "a") as log, open(options.out / "table.txt", "a") as table:
        for program in options.programs:
            try:
                record(program, options.build.resolve(), options.out.resolve(), log)
                steps = {"before": [], "after": []}
                for _ in range(options.pairs):
                    for form, times in steps.items():
                        times.append(step(program, form, log))
                before, after = (statistics.median(times) for times in steps.values())
                line = f"{program}: {before:.3f} -> {after:.3f} ms, {100 * (after / before - 1):+.1f} %  {steps}"
            except subprocess.TimeoutExpired as error:
                line = f"{program}: {error}"
            print(line, file=table, flush=True)
            print(line, flush=True)


if __name__ == "__main__":
    main()
