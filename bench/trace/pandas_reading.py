# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does what a notebook does with a trace: reads Kineto's JSON with json.load into
a pandas table, and sums up kernels, calls and the time in which the GPU was busy.
Prints time and memory, for bench.sh.
  pandas_reading.py TRACE.json EVENTS
"""
import json
import resource
import sys
import time

import pandas


def main():
    start = time.monotonic()
    with open(sys.argv[1], encoding="utf-8") as file:
        table = pandas.DataFrame.from_records(json.load(file)["traceEvents"])
    table = table[table.ph == "X"]
    read = time.monotonic()
    gpu = table[table.cat.isin(["kernel", "gpu_memcpy", "gpu_memset"])].sort_values("ts")
    totals = gpu.groupby("name").dur.agg(["count", "sum", "mean", "max"])
    calls = table[table.cat == "cuda_runtime"].groupby("name").dur.agg(["count", "sum"])
    latest = (gpu.ts + gpu.dur).cummax()
    idle = (gpu.ts - latest.shift()).clip(lower=0).sum()
    busy = latest.iloc[-1] - gpu.ts.iloc[0] - idle
    seconds = time.monotonic() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    events = int(sys.argv[2])
    print(f"pandas: {seconds:.2f} s (json.load and table {read - start:.2f} s), "
          f"{events / seconds / 1e6:.2f} M events/s, peak {peak / 1e6:.0f} MB = {peak / events:.0f} B/event; "
          f"GPU busy {busy:.0f} us, {len(totals)} kernels, {len(calls)} calls")


main()
