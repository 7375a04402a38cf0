#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the cost of the plugin in a compilation, in CPU time and in memory.

    bench/compile/plugin.py BUILD --headers 100,1000,5000,20000 [--every N] [--rounds N]
    bench/compile/plugin.py BUILD [--rounds N] [--host-only] [--database FILE] [FILE...]

The first form compiles generated files that include these numbers of user headers;
every 20th header has a site, or every N-th with --every=N. The second compiles the
given sources, or those of a compile_commands.json whose `arguments` are nvcc's (only
-I, -D, -std are used), host side and device side, or the host side alone. Files that
clang does not compile are counted and left out.

Each round compiles without and with the plugin, in turn. For each file it prints the
ratio of the medians over the rounds, for user and system time and for peak memory; at
the end the median and the ninth decile over the files.
"""
import argparse
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def cached(build, name):
    for line in (build / "CMakeCache.txt").read_text().splitlines():
        if line.startswith(name + ":"):
            return line.split("=", 1)[1]
    sys.exit(f"{build}: no {name} in its CMakeCache.txt; configure the build first")


def measure(command, folder):
    """Returns CPU seconds, peak MiB and exit status of a command."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, status


def compare(plain, plugin, folder, rounds):
    """Returns both commands' median times and memory; None if clang fails, a message if the plugin does."""
    runs = {0: [], 1: []}
    for number in range(rounds + 1):  # The first one warms the page cache.
        for which, command in enumerate((plain, plain + plugin)):
            time, memory, status = measure(command, folder)
            if status:
                return None if which == 0 else "the plugin breaks it"
            if number:
                runs[which].append((time, memory))
    median = lambda which, column: statistics.median(run[column] for run in runs[which])
    return [median(which, column) for which in (0, 1) for column in (0, 1)]


def generated(counts, every, folder):
    generator = HERE.parent.parent / "test/plugin/Inputs/many_headers.py"
    for count in counts:
        place = folder / str(count)
        place.mkdir()
        subprocess.run([sys.executable, generator, str(count), str(every)], cwd=place, check=True)
        yield f"{count:,} headers", place, ["main.cpp"]


def of_database(path):
    for entry in json.loads(path.read_text()):
        words = entry.get("arguments") or shlex.split(entry["command"])
        kept = [w for w in words if w.startswith(("-I", "-D", "-std"))]
        yield entry["file"], entry["directory"], kept + [entry["file"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--headers")
    parser.add_argument("--every", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--host-only", action="store_true")
    parser.add_argument("--database", type=pathlib.Path)
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    build = args.build.resolve()
    cuda = cached(build, "AUTOPROF_CUDA_PATH")
    clang = ["clang++-22", "-O1", "-c", "-o", "/dev/null", "-Wno-unknown-cuda-version", "-Qunused-arguments",
             f"--cuda-path={cuda}", "-isystem", f"{cuda}/include", "-isystem", f"{cuda}/include/cccl", "--cuda-gpu-arch=sm_90"]
    if args.host_only:
        clang.append("--cuda-host-only")
    with tempfile.TemporaryDirectory() as scratch:
        if args.headers:
            inputs = generated([int(n) for n in args.headers.split(",")], args.every, pathlib.Path(scratch))
        elif args.database:
            inputs = of_database(args.database)
        else:
            inputs = [(f, ".", ["-std=c++17", f]) for f in args.files]
        ratios, broken, skipped = [], 0, 0
        for name, folder, words in inputs:
            result = compare(clang + words, [f"-fplugin={build}/lib/autoprof.so"], folder, args.rounds)
            if not isinstance(result, list):
                skipped += result is None
                broken += result is not None
                if result:
                    print(f"{name}: {result}")
                continue
            before, before_memory, after, after_memory = result
            ratios.append((after / before, after_memory / before_memory))
            print(f"{pathlib.Path(name).name:28} {before:7.3f} s  {after:7.3f} s  ratio {ratios[-1][0]:.3f}"
                  f"   {before_memory:5.0f} MiB  {after_memory:5.0f} MiB  ratio {ratios[-1][1]:.3f}", flush=True)
    for column, what in enumerate(("CPU time", "peak memory")):
        values = sorted(ratio[column] for ratio in ratios)
        if values:
            print(f"{what}: median {statistics.median(values):.3f}, ninth decile "
                  f"{values[min(len(values) - 1, int(len(values) * 0.9))]:.3f}, largest {values[-1]:.3f} "
                  f"of {len(values)} files, {args.rounds} rounds")
    print(f"{skipped} files that clang does not compile, {broken} that only the plugin breaks")
    sys.exit(1 if broken or not ratios else 0)


main()
