# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Jacobi iterations in CuPy, with the residual read in each: cupy_loop.py STEPS"""
import sys

import cupy
from steps import Steps

count = int(sys.argv[1])
grid = cupy.zeros((256, 256), dtype=cupy.float32)
grid[0] = 1


def iterate(old):
    new = old.copy()
    new[1:-1, 1:-1] = 0.25 * (old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, :-2] + old[1:-1, 2:])
    return new, float(cupy.abs(new - old).max())


for _ in range(20):
    grid, residual = iterate(grid)
steps = Steps(count, cupy.cuda.Device().synchronize)
for _ in range(count):
    steps.begin()
    grid, residual = iterate(grid)
steps.begin()
