# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a compare.json with six runs of each side that vary by half a percent.

comparison.py FILE BASE_NS NEW_NS [print.pftrace deferred.pftrace] [output=same|other|varying] [exit=CODE]
"""
import json
import sys

paths = [a for a in sys.argv[4:] if "=" not in a] or ["print.pftrace", "deferred.pftrace"]
options = dict(a.split("=") for a in sys.argv[4:] if "=" in a)
OUTPUTS = {"same": (["00"], ["00"]), "other": (["00"], ["01"]), "varying": (["00", "01"], ["02"]), "": ([], [])}


def side(number, arguments, environment):
    return {"command": ["./train", *arguments], "environment": environment, "recording": paths[number],
            "step": "loop:src/train.cu:12", "steps": 60, "exit_code": int(options.get("exit", 0)) * number,
            "output_sha256": OUTPUTS[options.get("output", "")][number]}


def run(i, name):
    time = int(sys.argv[3 if name == "new" else 2]) * (1000 + (i * 7) % 6 - 3) // 1000
    return {"side": name, "time_ns": time, "parts_ns": [time], "wall_ns": 10**8, "cpu_ns": 10**8, "preempted": 0,
            "gpu_mhz": None, "cpu_mhz": None, "launch_ns": 2500 + 10 * i}


runs = [run(i, name) for i, name in enumerate(["base", "new", "new", "base"] * 3)]
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump({"schema": "autoprof-compare/1", "metric": "step", "self_test": False, "base_is_stored": False,
               "base": side(0, ["--loss", "print"], {"A": "1"}), "new": side(1, ["--loss", "deferred"], {"A": "2"}),
               "cpus": [], "gpu": None, "host": None, "most_runs": 30, "least_runs": 0, "precision": 0.01,
               "result": None, "runs": runs}, file, indent=1)
