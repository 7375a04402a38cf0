#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows whether a program that is recorded for minutes keeps its memory and its pace:

    bench/runtime/soak.py BUILD MINUTES [--keep=DIR] -- PROGRAM...

The program, which must not end by itself, is started five times at once: as it is, and with
`autoprof run` in four modes, of which two keep only a part of the recording. It is
interrupted after that time, as with Ctrl-C. The table has the memory (the largest process)
after a sixth of the time and at the end, and the bytes that it printed per second in the
second and in the last sixth. The exit code is 1 if a recorded program ended early, grew by 5
% more than the one that is not recorded, or left a trace that cannot be read or names a loss.
--keep leaves traces, reports and the figures of each second in DIR.
"""
import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

PARTS = 6


def modes(seconds):
    return ["", "--mode=light", "--mode=light+calls", "--max-size=64M", f"--delay={seconds / 24:g}s --duration={seconds / 48:g}s"]


def tree(process):
    yield process
    try:
        for task in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{task}/children") as children:
                for child in children.read().split():
                    yield from tree(int(child))
    except OSError:
        pass  # It has just ended.


def memory(process):
    """MB of the largest process of the tree."""
    largest = 0
    for one in tree(process):
        try:
            with open(f"/proc/{one}/statm") as statm:
                largest = max(largest, int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6)
        except OSError:
            pass
    return largest


class Run:
    def __init__(self, autoprof, mode, program, folder):
        self.mode, self.samples, self.problems = mode, [], []
        self.path = folder / re.sub(r"\W+", "-", mode.strip("-") or "plain")
        self.trace = self.path.with_suffix(".pftrace")
        record = [autoprof, "run", *mode.split(), "-o", self.trace, "--"] if mode else []
        with open(self.path.with_suffix(".out"), "wb") as out, open(self.path.with_suffix(".err"), "wb") as err:
            self.process = subprocess.Popen([*record, *program], stdout=out, stderr=err, start_new_session=True,
                                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))

    def sample(self, at):
        if self.process.poll() is not None:
            return
        self.samples.append((at, memory(self.process.pid), self.path.with_suffix(".out").stat().st_size))

    def end(self):
        if self.process.poll() is not None:
            error = self.path.with_suffix(".err").read_text(errors="replace").strip()
            self.problems.append(f"ended early with {self.process.returncode} {error[-200:]}")
            return
        os.killpg(self.process.pid, signal.SIGINT)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.problems.append("did not end within a minute")
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def read(self, autoprof):
        if not self.mode:
            return
        report = subprocess.run([autoprof, "report", "--format=json", self.trace], capture_output=True, text=True)
        self.path.with_suffix(".json").write_text(report.stdout)
        if report.returncode:
            self.problems.append(f"no report: {report.stderr.strip()[-200:]}")
            return
        loss = json.loads(report.stdout)["loss"]
        self.problems += [f"{kind}: {number}" for kind, number in loss.items() if number]

    def part(self, number):
        """The samples of a part of the time."""
        end = self.samples[-1][0]
        return [sample for sample in self.samples if number * end / PARTS <= sample[0] <= (number + 1) * end / PARTS]

    def pace(self, number):
        (first, _, before), *_, (last, _, after) = self.part(number)
        return (after - before) / (last - first)

    def growth(self):
        return self.samples[-1][1] / self.part(1)[0][1]

    def row(self):
        size = sum(part.stat().st_size for part in self.path.parent.glob("*.pftrace") if re.fullmatch(re.escape(self.path.name) + r"(-\d+)*", part.stem))
        return (f"| {f'`{self.mode}`' if self.mode else 'not recorded'} | {self.part(1)[0][1]:.0f}, {self.samples[-1][1]:.0f} | {self.pace(1):,.0f}, {self.pace(PARTS - 1):,.0f} "
                f"| {size / 1e6:.1f} MB | {'; '.join(self.problems)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("minutes", type=float)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    autoprof = (options.build / "bin/autoprof").resolve()
    with tempfile.TemporaryDirectory() as scratch:
        folder = (options.keep or pathlib.Path(scratch)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        runs = [Run(autoprof, mode, options.program, folder) for mode in modes(60 * options.minutes)]
        try:
            start = time.monotonic()
            while (at := time.monotonic() - start) < 60 * options.minutes:
                for run in runs:
                    run.sample(at)
                time.sleep(min(1, options.minutes))
        finally:
            for run in runs:
                run.end()
        print("| mode | memory, MB | output, B/s | trace | |\n|---|---|---|---|---|")
        for run in runs:
            run.read(autoprof)
            if len(run.samples) < 3 * PARTS:
                sys.exit(f"{run.mode or 'not recorded'}: {'; '.join(run.problems) or 'too few samples; give it more minutes'}")
            if run.growth() > runs[0].growth() + 0.05:
                run.problems.append("its memory grew")
            if options.keep:
                run.path.with_suffix(".tsv").write_text("".join("\t".join(map(str, sample)) + "\n" for sample in run.samples))
            print(run.row(), flush=True)
    sys.exit(any(run.problems for run in runs))


main()
