# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the steps of the programs in this folder, once they are warm, while nothing records them."""
import sys
import time

BEFORE = sys.argv[1:] != ["after"]


class Clock:
    """Prints `step_ms MEAN` of the steps after the first `warm`, until the `last`."""

    def __init__(self, wait, warm=30, last=200):
        self.wait, self.warm, self.last, self.number = wait, warm, last, 0

    def tick(self):
        """To be called at the end of each step."""
        self.number += 1
        if self.number == self.warm:
            self.wait()
            self.start = time.perf_counter()
        elif self.number == self.last:
            self.wait()
            mean = (time.perf_counter() - self.start) / (self.last - self.warm)
            print(f"step_ms {1e3 * mean:.4f}", file=sys.stderr, flush=True)
