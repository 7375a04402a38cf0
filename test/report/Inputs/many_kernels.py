# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a trace as PyTorch's profiler does, of kernels that all have names of
their own. Usage: many_kernels.py COUNT BYTES_OF_A_NAME OUT
"""
import json
import sys

count, length = int(sys.argv[1]), int(sys.argv[2])
events = [{"ph": "X", "cat": "user_annotation", "name": "<&\"" * length,
           "pid": 1, "tid": 1, "ts": 0, "dur": 10 * count}]
for i in range(count):
    events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel",
                   "pid": 1, "tid": 1, "ts": 10 * i, "dur": 3,
                   "args": {"correlation": i}})
    events.append({"ph": "X", "cat": "kernel", "name": f"kernel_{i}_" + "&" * length,
                   "pid": 0, "tid": 7, "ts": 10 * i + 5, "dur": 4,
                   "args": {"correlation": i, "device": 0, "stream": 7}})
with open(sys.argv[3], "w", encoding="utf-8") as out:
    json.dump({"deviceProperties": [{"id": 0, "name": "GPU"}], "traceEvents": events}, out)
