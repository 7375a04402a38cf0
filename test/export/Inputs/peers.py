# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks pandas, and HolisticTraceAnalysis (`pip install HolisticTraceAnalysis`)
where it is installed, for the GPU's busy and idle time and the time of each
kernel in what `autoprof convert` wrote, and compares them with what `autoprof
report` says of the recording itself:

    peers.py AUTOPROF RECORDING EXPORT.json.gz

Prints a table; fails where they differ by more than 0.1 %.
"""
import gzip
import json
import logging
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# By default HTA shrinks events to whole microseconds.
os.environ["HTA_DISABLE_NS_ROUNDING"] = "1"
import pandas

try:
    from hta.trace_analysis import TraceAnalysis
except ImportError:
    TraceAnalysis = None

LIMIT = 0.001


def of_pandas(path):
    """Busy time, idle time and sums by name, from the events alone. ns"""
    events = pandas.DataFrame(json.load(gzip.open(path))["traceEvents"])
    gpu = events[events["cat"].isin(["kernel", "gpu_memcpy", "gpu_memset"])]
    spans = pandas.DataFrame({"start": gpu["ts"] * 1e3, "end": (gpu["ts"] + gpu["dur"]) * 1e3}).sort_values("start")
    # Time covered: of each operation what lies behind the end of all before.
    before = spans["end"].cummax().shift(fill_value=spans["start"].iloc[0])
    busy = (spans["end"] - spans[["start"]].assign(before=before).max(axis=1)).clip(lower=0).sum()
    span = spans["end"].max() - spans["start"].min()
    sums = (gpu.assign(ns=gpu["dur"] * 1e3).groupby("name")["ns"].sum()).to_dict()
    return busy, span - busy, sums


def of_hta(path):
    """Of all that was recorded: with steps, HTA leaves out the last one and what
    comes behind it. It also takes synchronization records, which Kineto writes,
    too, for GPU work; so these are not given to it."""
    with tempfile.TemporaryDirectory() as folder:
        trace = json.load(gzip.open(path))
        trace["traceEvents"] = [e for e in trace["traceEvents"] if e.get("cat") not in ("autoprof_step", "cuda_sync")]
        (pathlib.Path(folder) / "trace.json").write_text(json.dumps(trace))
        analysis = TraceAnalysis(trace_dir=folder)
        row = analysis.get_temporal_breakdown(visualize=False).iloc[0]
        busy = 1e3 * (row["compute_time(us)"] + row["non_compute_time(us)"])
        kernels = analysis.get_gpu_kernel_breakdown(visualize=False, num_kernels=1000, duration_ratio=1.0,
                                                    include_memory_kernels=True)[1]
        sums = {}
        for _, kernel in kernels.iterrows():
            sums[kernel["name"]] = sums.get(kernel["name"], 0) + 1e3 * kernel["sum (us)"]
        return busy, 1e3 * row["idle_time(us)"], sums


def steps_of_hta(path):
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(path, folder)
        analysis = TraceAnalysis(trace_dir=folder, include_last_profiler_step=True)
        return len([i for i in analysis.t.get_iterations(0) if i >= 0])


def main():
    logging.disable(logging.CRITICAL)
    autoprof, recording, export = sys.argv[1:]
    report = json.loads(subprocess.run([autoprof, "report", "--format=json", recording], check=True,
                                       capture_output=True).stdout)
    device, = report["devices"]
    ours = (device["busy_ns"], device["span_ns"] - device["busy_ns"],
            {k["name"]: k["total_ns"] for k in report["kernels"]})
    peers = [("pandas", of_pandas)]
    if TraceAnalysis:
        peers.append(("HTA", of_hta))
        assert steps_of_hta(export) == report["steps"]["count"], steps_of_hta(export)
    worst = 0
    print(f"{pathlib.Path(recording).name}: busy {ours[0]} ns, idle {ours[1]} ns, {len(ours[2])} kernels")
    for who, ask in peers:
        theirs = ask(export)
        assert theirs[2].keys() == ours[2].keys(), (who, theirs[2].keys() ^ ours[2].keys())
        differences = [abs(a / b - 1) for a, b in zip(theirs[:2], ours[:2])]
        differences.append(max(abs(theirs[2][name] / ours[2][name] - 1) for name in ours[2]))
        print(f"  {who}: busy {theirs[0]:.0f} ns, idle {theirs[1]:.0f} ns; differences: busy {differences[0]:.4%}, "
              f"idle {differences[1]:.4%}, kernels at most {differences[2]:.4%}")
        worst = max(worst, *differences)
    if worst > LIMIT:
        sys.exit(f"they differ by {worst:.3%}")


main()
