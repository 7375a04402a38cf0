#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the cost of auditing a file relative to clang's reading of it, and how it scales.

    bench/audit/run.py -p BUILD [--build AUTOPROF_BUILD] [--files N] [--rounds R] [--jobs 1,2]

For N sources of the compilation database, spread evenly over those that clang can
read: CPU seconds of `autoprof audit` (including its processes, without the cache)
and of `clang++ -fsyntax-only --cuda-host-only` with the same arguments, in turn,
best of R rounds each, and the median of the ratios. Then the wall time of one
audit of all these sources with each number of jobs.
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def cpu_seconds(command, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.returncode, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def readable(autoprof, database, count):
    listed = subprocess.run([autoprof, "sources", "-p", database, "--format", "json"], stdout=subprocess.PIPE, text=True)
    sources = [s for s in json.loads(listed.stdout)["sources"] if s["state"] == "read" and s["command"]]
    return sources[::max(1, len(sources) // count)][:count]


def ratio(autoprof, database, source, rounds):
    """Returns CPU seconds as (audit, clang), or None if clang alone does not compile it."""
    clang = source["command"] + ["-fsyntax-only"]
    audit = [autoprof, "audit", "-p", database, "--no-cache", "-j1", "--time-limit=0", source["file"]]
    audits, clangs = [], []
    for _ in range(rounds):
        status, seconds = cpu_seconds(clang, source["directory"])
        if status:
            return None
        clangs.append(seconds)
        status, seconds = cpu_seconds(audit, source["directory"])
        if status not in (0, 1):
            raise SystemExit(f"autoprof audit ended with {status} on {source['file']}")
        audits.append(seconds)
    return min(audits), min(clangs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-p", required=True, help="compile_commands.json or its folder")
    parser.add_argument("--build", default=os.path.join(HERE, "..", "..", "build", "release"))
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--jobs", default="1,2", type=lambda s: [int(n) for n in s.split(",")])
    options = parser.parse_args()
    autoprof = os.path.abspath(os.path.join(options.build, "bin", "autoprof"))
    sources = readable(autoprof, options.p, options.files)
    pairs = [p for p in (ratio(autoprof, options.p, s, options.rounds) for s in sources) if p]
    ratios = sorted(a / c for a, c in pairs)
    print(f"{len(pairs)} of {len(sources)} files: audit {sum(a for a, _ in pairs):.2f} s CPU, "
          f"clang -fsyntax-only {sum(c for _, c in pairs):.2f} s CPU; ratio median {statistics.median(ratios):.2f} "
          f"({ratios[0]:.2f} to {ratios[-1]:.2f})")
    for jobs in options.jobs:
        begin = time.monotonic()
        cpu_seconds([autoprof, "audit", "-p", options.p, "--no-cache", f"-j{jobs}"] + [s["file"] for s in sources], None)
        print(f"all of them with -j{jobs}: {time.monotonic() - begin:.2f} s wall")


if __name__ == "__main__":
    main()
