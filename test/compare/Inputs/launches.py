# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""launches.py RUNS SLOW DEAR [NAME=VALUE]: the file of a comparison whose runs
follow what a launch costs their process. The new side takes SLOW times as long,
its launches cost DEAR times as much, and it has NAME in its environment."""
import json
import math
import random
import sys

runs, slow, dear = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
environment = dict(word.split("=") for word in sys.argv[4:])
random.seed(4)
made = []
for i in range(2 * runs):
    new = i % 4 in (1, 2)
    cost = random.gauss(0, 0.1)
    time = 281000 * math.exp(0.8 * cost + random.gauss(0, 0.01)) * (slow if new else 1)
    made.append({
        "side": "new" if new else "base", "time_ns": round(time), "parts_ns": [], "wall_ns": 1, "cpu_ns": 1, "preempted": 0,
        "gpu_mhz": None, "cpu_mhz": None,
        "launch_ns": round(3500 * math.exp(cost) * (dear if new else 1))})


def side(variables):
    return {"command": ["./train"], "environment": variables, "recording": None, "step": "range:step", "steps": 100,
            "exit_code": 0, "output_sha256": []}


print(json.dumps({
    "schema": "autoprof-compare/1", "metric": "step", "self_test": False, "base_is_stored": False, "base": side({}),
    "new": side(environment), "cpus": [], "gpu": None, "host": None, "most_runs": runs, "least_runs": runs,
    "precision": 0.01, "result": None, "runs": made}))
