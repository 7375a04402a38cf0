#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A worker that misbehaves as AUTOPROF_TEST says, to show that
bench/calibrate/run.py outlives it. It measures nothing: its times are made up."""
import json
import os
import signal
import sys
import time

mode = os.environ["AUTOPROF_TEST"]


def tell(observations=(), skipped=()):
    print(json.dumps({"schema": "autoprof-semantics/1", "gpu": "Made up", "compute_capability": "9.0", "cuda": "13.0",
                      "gpus": 1, "queued_ns": 20000000, "observations": list(observations), "skipped": list(skipped)}),
          end="\0", flush=True)


if mode == "no-gpu":
    sys.exit("the NVIDIA driver finds no GPU that it can use: made up")
tell()
for number, line in enumerate(sys.stdin):
    if number == 1 and mode == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if number == 1 and mode == "exit":
        sys.exit(7)
    if number == 1 and mode == "nonsense":
        print("NCCL version 2.28", end="\0", flush=True)
        continue
    if mode == "hang":
        time.sleep(600)
    if mode == "no-library":
        tell(skipped=[{"library": "cudart", "why": "libcudart.so.13: cannot open shared object file"}])
        continue
    tell([{"call": "cudaStreamQuery", "what": line.strip(), "facts": {}, "error": None, "idle_ns": 1000,
           "behind_ns": {"own_stream": 20000000, "legacy_stream": 1300}}])
    if mode == "last-words":
        sys.exit(0)
