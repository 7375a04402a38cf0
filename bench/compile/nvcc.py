#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what autoprof-nvcc adds to nvcc's time, on your own sources.

    bench/compile/nvcc.py BUILD FOLDER... [--files 40] [--rounds 3] [--no-cache] [-- NVCC OPTIONS]

Takes the .cu files below the folders (evenly spread, --files of them) that
`nvcc OPTIONS -c` compiles, and compiles each with nvcc and with autoprof-nvcc in
turn. Prints for each file the median of the pairs' ratios of wall-clock time and
of CPU time (user and system, all processes), then the median and the ninth
decile over the files. --no-cache disables the precompiled prelude.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time


def sources(folders, count):
    found = sorted(os.path.join(place, name) for folder in folders
                   for place, _, names in os.walk(folder) for name in names if name.endswith(".cu"))
    return found if len(found) <= count else [found[i * len(found) // count] for i in range(count)]


def run(command, folder, env):
    """Returns (wall-clock seconds, CPU seconds, output), or None if the command fails."""
    with tempfile.TemporaryFile() as output:
        begin = time.monotonic()
        process = subprocess.Popen(command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return None if status else (wall, usage.ru_utime + usage.ru_stime, output.read())


def show(name, ratios):
    deciles = statistics.quantiles(ratios, n=10, method="inclusive") if len(ratios) > 1 else ratios * 9
    print(f"{name}: median {statistics.median(ratios):.3f}, ninth decile {deciles[8]:.3f} ({len(ratios)} files)")


def main():
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    own, options = sys.argv[1:split], sys.argv[split + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-cache", action="store_true")
    args = parser.parse_args(own)
    probed = os.path.join(os.path.abspath(args.build), "bin", "autoprof-nvcc")
    env = dict(os.environ)
    if args.no_cache:
        env["XDG_CACHE_HOME"] = os.devnull
    walls, cpus = [], []
    for source in sources(args.folders, args.files):
        folder, name = os.path.split(os.path.abspath(source))
        command = ["nvcc", *options, "-c", name, "-o", os.devnull]
        # Loads the files into the page cache, and precompiles the prelude.
        first = run(command, folder, env) and run([probed, *command], folder, env)
        if not first:
            print(f"{source}: nvcc does not compile it")
            continue
        if b"without probes" in first[2]:
            print(f"{source}: has no probes: {first[2].decode(errors='replace').strip()}")
        pairs = [(run(command, folder, env), run([probed, *command], folder, env)) for _ in range(args.rounds)]
        wall = statistics.median(b[0] / a[0] for a, b in pairs)
        cpu = statistics.median(b[1] / a[1] for a, b in pairs)
        walls.append(wall)
        cpus.append(cpu)
        print(f"{source}: wall {wall:.3f}, CPU {cpu:.3f}; nvcc {statistics.median(a[0] for a, _ in pairs):.2f} s", flush=True)
    if walls:
        show("wall-clock time", walls)
        show("CPU time", cpus)


if __name__ == "__main__":
    main()
