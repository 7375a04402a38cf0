# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the before/after pairs on a machine with a GPU.

    python3 run.py FOLDER OUT [--seconds N] [PAIR...]

FOLDER is the output of build.sh. In rounds over all pairs (or those named) it
runs the program with the synchronization and without, one after the other, as
the user compiled it; in the first rounds (three, for PyTorch one) it also records
both. It stops after N seconds (default 420). A pair that fails is skipped from
then on, and the exit status is 1. OUT gets measurements.tsv, with one line per run, and for each pair the recording of `before` with the median step; at the end
the table that table.py makes from them is printed.
"""
import argparse
import gzip
import json
import pathlib
import subprocess
import sys
import time

import pairs
import table


class OutOfTime(Exception):
    pass


class Failed(Exception):
    pass


class Bench:

    def __init__(self, folder, out, seconds):
        self.folder, self.out = folder.resolve(), out.resolve()
        self.autoprof = str(self.folder / "bin/autoprof")
        self.end = time.monotonic() + seconds
        self.kept = {}  # Name of a recording: [(step, bytes)]
        self.tsv = open(self.out / "measurements.tsv", "w", buffering=1)
        gpu = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], check=True,
                             capture_output=True, text=True)
        self.tsv.write(f"# {gpu.stdout.splitlines()[0]}\npair\thow\tform\tstep_ns\n")

    def command(self, pair, form, recorded):
        """The folder and the command. The program runs in its own folder, because the command line is part of a recording."""
        program = self.folder / pair.program.format(pair.variant(form, recorded))
        return program.parent, pair.command("./" + program.name) + pair.arguments(form, recorded)

    def run(self, folder, command):
        if time.monotonic() > self.end:
            raise OutOfTime
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
        except subprocess.TimeoutExpired:
            raise Failed(f"{command} took more than a minute") from None
        if done.returncode:
            raise Failed(f"{command} ended with {done.returncode}: {done.stderr}")
        return done

    def write(self, pair, how, form, ns):
        self.tsv.write(f"{pair.name}\t{how}\t{form}\t{ns:.1f}\n")

    def plain(self, pair):
        for form in ["both"] if pair.both() else ["before", "after"]:
            done = self.run(*self.command(pair, form, False))
            for form, ns in pairs.step_times(pair, form, done.stdout, done.stderr):
                self.write(pair, "plain", form, ns)

    def recorded(self, pair):
        trace = self.out / "recording.pftrace"
        for form in ("before", "after"):
            folder, program = self.command(pair, form, True)
            self.run(folder, [self.autoprof, "run", "-o", str(trace), "--"] + program)
            report = self.run(folder, pair.report(self.autoprof, str(trace)))
            step = json.loads(report.stdout)["steps"]["median_ns"]
            if step is None:
                raise Failed(f"the recording of {form} has no steps")
            self.write(pair, "recorded", form, step)
            if form == "before":
                self.kept.setdefault(pair.recording, []).append((step, trace.read_bytes()))
            else:
                self.keep(f"{pair.name}.after", trace.read_bytes())
        trace.unlink()
        runs = sorted(self.kept[pair.recording])
        self.keep(pair.recording, runs[(len(runs) - 1) // 2][1])

    def keep(self, name, data):
        (self.out / f"{name}.pftrace.gz").write_bytes(gzip.compress(data, 9, mtime=0))

    def rounds(self, chosen):
        """Runs until the time is over or no pair is left; returns whether all succeeded."""
        number, failed = 0, set()
        while len(failed) < len(chosen):
            number += 1
            for pair in chosen:
                if pair.name in failed:
                    continue
                try:
                    for _ in range(pair.repeats):
                        self.plain(pair)
                    if number <= pair.recordings:
                        self.recorded(pair)
                        print(f"round {number}: {pair.name}", flush=True)
                except Failed as error:
                    failed.add(pair.name)
                    print(f"run.py: {pair.name}: {error}", file=sys.stderr, flush=True)
                except OutOfTime:
                    return not failed
            print(f"round {number} done, {self.end - time.monotonic():.0f} s left", flush=True)
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, help="what build.sh made")
    parser.add_argument("out", type=pathlib.Path, help="for measurements and recordings")
    parser.add_argument("--seconds", type=float, default=420, help="when to stop (420)")
    parser.add_argument("pairs", nargs="*", metavar="PAIR", help="by name; all if none is named")
    options = parser.parse_intermixed_args()
    chosen = [pair for pair in pairs.ALL if not options.pairs or pair.name in options.pairs]
    unknown = set(options.pairs) - {pair.name for pair in chosen}
    if unknown:
        parser.error(f"no pair is called {', '.join(sorted(unknown))}; there are "
                     f"{', '.join(pair.name for pair in pairs.ALL)}")
    options.out.mkdir(parents=True, exist_ok=True)
    bench = Bench(options.folder, options.out, options.seconds)
    good = bench.rounds(chosen)
    print(table.table(bench.autoprof, bench.out), end="")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
