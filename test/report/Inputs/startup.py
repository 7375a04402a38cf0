# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A trace of PyTorch's profiler in which nothing repeats: 20 kernels, 2 s of start-up, 600 kernels in 60 ms, 1 s, and 5 kernels.

Usage: startup.py OUT.json"""
import json
import random
import sys

random.seed(1)
events, now = [], 1000.0


def launch(correlation):
    global now
    name, length = f"kernel{random.randrange(40)}", random.uniform(5, 20)
    common = {"ph": "X", "args": {"correlation": correlation}}
    events.append({**common, "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": now, "dur": 5})
    events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": now + 8, "dur": length,
                   "args": {"correlation": correlation, "stream": 7, "device": 0}})
    now += 100


for part, (count, pause) in enumerate([(20, 2e6), (600, 1e6), (5, 0)]):
    for i in range(count):
        launch(1000 * part + i + 1)
    now += pause
with open(sys.argv[1], "w") as file:
    json.dump({"traceEvents": events}, file)
