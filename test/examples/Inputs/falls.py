# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that each of mlp_train's losses is lower than the one before."""
import sys

with open(sys.argv[1], encoding="ascii") as output:
    losses = [float(line.split()[3]) for line in output if line.startswith("step")]
assert len(losses) == 50, losses
assert all(after < before for before, after in zip(losses, losses[1:])), losses
