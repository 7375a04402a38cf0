# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Jacobi iterations in CuPy that test their residual; after: every 50th does."""
import cupy
from clock import BEFORE, Clock

grid = cupy.zeros((512, 512), dtype=cupy.float32)
grid[0] = 1
clock = Clock(cupy.cuda.Device().synchronize, last=1000)
for number in range(1000):
    new = grid.copy()
    new[1:-1, 1:-1] = 0.25 * (grid[:-2, 1:-1] + grid[2:, 1:-1] + grid[1:-1, :-2] + grid[1:-1, 2:])
    if BEFORE or number % 50 == 0:
        residual = float(cupy.abs(new - grid).max())
        if residual < 1e-9:
            break
    grid = new
    clock.tick()
