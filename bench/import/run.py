# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures time and memory for reading a trace of PyTorch's profiler, with autoprof and with other tools.

Usage: run.py AUTOPROF TRACE.json [PYTHON] [--rounds N] [--limit SECONDS]

enlarge.py makes a large trace; PYTHON has pandas and HolisticTraceAnalysis. Each program runs in a process of its own,
in turn, N times (default 3); one that exceeds the limit (default 120 seconds) is stopped and not run again. Prints a
line for each run as it ends; the table has the least CPU time and the largest memory. MB/s refers to CPU time, which
other work on the machine disturbs less."""
import argparse
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time


def rivals(tool, trace, packed, python):
    read = "open(%r, encoding='utf-8').read()" % trace
    hta = (
        "from hta.trace_analysis import TraceAnalysis\n"
        "TraceAnalysis(trace_files={0: %r}).get_temporal_breakdown(visualize=False)" % trace
    )
    return {
        "autoprof report": [tool, "report", "--format=json", "-o", os.devnull, trace],
        "autoprof report, .gz": [tool, "report", "--format=json", "-o", os.devnull, packed],
        "json.loads": [python, "-c", "import json; json.loads(%s)" % read],
        "json.loads, then pandas.DataFrame": [
            python,
            "-c",
            "import json, pandas; pandas.DataFrame(json.loads(%s)['traceEvents'])" % read,
        ],
        "HolisticTraceAnalysis, temporal breakdown": [python, "-c", hta],
    }


def measure(command, limit):
    """Returns CPU seconds, wall seconds and peak bytes, or a sentence that explains why there are none."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
        stop = threading.Timer(limit, child.kill)
        stop.start()
        _, status, usage = os.wait4(child.pid, 0)
        stop.cancel()
        wall = time.monotonic() - start
        if status and wall >= limit:
            return "stopped after %.0f s" % wall
        if status:
            errors.seek(0)
            return "failed: " + errors.read().decode(errors="replace").strip()[-300:]
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("trace")
    parser.add_argument("python", nargs="?", default=sys.executable)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=120)
    options = parser.parse_args()
    folder = tempfile.mkdtemp()
    packed = os.path.join(folder, "rank0.json.gz")
    with open(options.trace, "rb") as source, gzip.open(packed, "wb", compresslevel=6) as target:
        shutil.copyfileobj(source, target)
    size = os.path.getsize(options.trace)
    print("%.0f MB of JSON, %.0f MB packed" % (size / 1e6, os.path.getsize(packed) / 1e6), flush=True)
    results, problems = {}, {}
    for turn in range(options.rounds):
        for name, command in rivals(options.tool, options.trace, packed, options.python).items():
            if name in problems:
                continue
            found = measure(command, options.limit)
            if isinstance(found, str):
                problems[name] = found
                print("round %d: %s: %s" % (turn + 1, name, found), flush=True)
                continue
            results.setdefault(name, []).append(found)
            print("round %d: %s: %.2f s of CPU, %.0f MB" % (turn + 1, name, found[0], found[2] / 1e6), flush=True)
    shutil.rmtree(folder)
    print("%-42s %9s %9s %9s %10s" % ("", "CPU s", "wall s", "MB/s", "peak MB"))
    for name, runs in results.items():
        cpu, wall, peak = min(r[0] for r in runs), min(r[1] for r in runs), max(r[2] for r in runs)
        print("%-42s %9.2f %9.2f %9.0f %10.0f" % (name, cpu, wall, size / cpu / 1e6, peak / 1e6))
    for name, problem in problems.items():
        print("%-42s %s" % (name, problem))


main()
