# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time and memory to read a trace of PyTorch's profiler, autoprof beside what people use.

Usage: run.py AUTOPROF TRACE.json [PYTHON]     (enlarge.py makes a large one; PYTHON has HolisticTraceAnalysis)

Each runs in a process of its own, in turns, three times; the least CPU time and the largest memory count. MB/s is of
CPU time, which other work on the machine disturbs less."""
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
import time

tool, trace = sys.argv[1:3]
python = sys.argv[3] if len(sys.argv) > 3 else sys.executable
folder = tempfile.mkdtemp()
packed = os.path.join(folder, "rank0.json.gz")
with open(trace, "rb") as source, gzip.open(packed, "wb", compresslevel=6) as target:
    shutil.copyfileobj(source, target)
ranks = "{0: %r}" % trace
rivals = {
    "autoprof report": [tool, "report", "--format=json", "-o", os.devnull, trace],
    "autoprof report, .gz": [tool, "report", "--format=json", "-o", os.devnull, packed],
    "json.loads": [python, "-c", "import json; json.loads(open(%r).read())" % trace],
    "json.loads, then pandas.DataFrame": [
        python,
        "-c",
        "import json, pandas; pandas.DataFrame(json.loads(open(%r).read())['traceEvents'])" % trace,
    ],
    "HolisticTraceAnalysis, temporal breakdown": [
        python,
        "-c",
        "from hta.trace_analysis import TraceAnalysis\n"
        "TraceAnalysis(trace_files=%s).get_temporal_breakdown(visualize=False)" % ranks,
    ],
}
size = os.path.getsize(trace)
results = {}
for _ in range(3):
    for name, command in rivals.items():
        start = time.monotonic()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        errors = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
        if status:
            print(name, "failed:", errors.decode()[-300:])
            continue
        results.setdefault(name, []).append(
            (usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss * 1024)
        )
print("%.0f MB of JSON, %.0f MB packed" % (size / 1e6, os.path.getsize(packed) / 1e6))
print("%-42s %9s %9s %9s %10s" % ("", "CPU s", "wall s", "MB/s", "peak MB"))
for name, runs in results.items():
    cpu, wall, peak = min(r[0] for r in runs), min(r[1] for r in runs), max(r[2] for r in runs)
    print("%-42s %9.2f %9.2f %9.0f %10.0f" % (name, cpu, wall, size / cpu / 1e6, peak / 1e6))
shutil.rmtree(folder)
