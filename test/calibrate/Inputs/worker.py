#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A worker that misbehaves as AUTOPROF_TEST says, to show that the supervisor
outlives it. It measures nothing: its times are made up."""
import json
import os
import signal
import sys
import time

mode = os.environ["AUTOPROF_TEST"]
replies = os.fdopen(3, "w", buffering=1)


def tell(**line):
    replies.write(json.dumps(line) + "\n")


if mode == "no-gpu":
    tell(error="the NVIDIA driver finds no GPU that it can use: made up")
    sys.exit(0)
if mode == "dies-at-once":
    os.kill(os.getpid(), signal.SIGSEGV)
print("a library prints something")
tell(error="", gpu="Made up", compute_capability="9.0", driver="1.2", cuda="13.0",
     gpus=1, queue_depth=1000, pageable_memory_access=False)
for number, line in enumerate(sys.stdin):
    if number == 1 and mode == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if number == 1 and mode == "exit":
        sys.exit(7)
    if number == 1 and mode == "nonsense":
        replies.write("NCCL version 2.28\n")
        continue
    if mode == "hang":
        if "AUTOPROF_TEST_PID" in os.environ:
            with open(os.environ["AUTOPROF_TEST_PID"], "w") as file:
                file.write(str(os.getpid()))
        time.sleep(600)
    if mode == "interrupt":
        os.kill(os.getppid(), signal.SIGINT)
        time.sleep(600)
    if mode == "no-library":
        tell(skipped="libcudart.so.13: cannot open shared object file")
        continue
    tell(first_ns=9000, idle_ns=1000, behind_ns=[20000000, 1100, 1200, 1300],
         blocked=[True, False, False, False], slow=False, error="", skipped="",
         last_words=mode == "last-words")
