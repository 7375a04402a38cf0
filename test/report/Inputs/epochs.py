# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A trace of PyTorch's profiler: five ranges "epoch 1", "epoch 2", ..., each with 20 ranges "batch" of two kernels
and a collective, whose ranges are the most frequent ones.

Usage: epochs.py OUT.json"""
import json
import sys

events, now = [], 1000.0


def span(name, start):
    events.append({"ph": "X", "cat": "user_annotation", "name": name, "pid": 1, "tid": 1, "ts": start, "dur": now - start})


def launch(kernel, length):
    global now
    correlation = len(events) + 1
    events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": now, "dur": 5,
                   "args": {"correlation": correlation}})
    events.append({"ph": "X", "cat": "kernel", "name": kernel, "pid": 0, "tid": 7, "ts": now + 8, "dur": length,
                   "args": {"correlation": correlation, "stream": 7, "device": 0}})
    now += 100


for epoch in range(5):
    start_of_epoch = now
    for batch in range(20):
        start = now
        launch("forward", 20)
        launch("backward", 30)
        for _ in range(3):
            collective = now
            launch("ncclDevKernel_AllReduce", 10)
            span("nccl:all_reduce", collective)
        now += 5
        span("batch", start)
        now += 5
    span(f"epoch {epoch + 1}", start_of_epoch)
with open(sys.argv[1], "w") as file:
    json.dump({"traceEvents": events}, file)
