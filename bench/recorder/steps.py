# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the steps of the programs in this folder, in parts of equal length.

Prints `step_us MEAN...`: the mean step of each part but the first, from a moment at which the
GPU has nothing to do to the next one. If STEPS_TURNS names a file, the processes that share it
take turns: each runs a part while it holds the file's lock.
"""
import fcntl
import os
import time

PARTS = 9


class Steps:
    def __init__(self, count, wait):
        self.length, self.wait, self.number, self.means = max(1, count // PARTS), wait, 0, []
        path = os.environ.get("STEPS_TURNS")
        self.turns = open(path, "w") if path else None

    def begin(self):
        """To be called when each step begins, and once more after the last one."""
        part, step = divmod(self.number, self.length)
        self.number += 1
        if step or part > PARTS:
            return
        self.wait()
        if part:
            self.means.append((time.perf_counter_ns() - self.start) / self.length / 1000)
        if self.turns and part:
            fcntl.flock(self.turns, fcntl.LOCK_UN)
            time.sleep(0.02)
        if part == PARTS:
            print("step_us", *[f"{mean:.2f}" for mean in self.means[1:]], flush=True)
            return
        if self.turns:
            fcntl.flock(self.turns, fcntl.LOCK_EX)
        self.start = time.perf_counter_ns()
