# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A loop that launches, with a pause in which the CPU is busy elsewhere; and
brief calls that may wait. Its line numbers are in pauses.test."""
import ctypes
import sys
import time

cuda = ctypes.CDLL("libcuda.so.1")
brief = cuda.briefCopy


def launch():
    cuda.cuLaunchKernel(None, 1, 1, 1, 1, 1, 1, 0, None, None, None)


def forward():
    for _ in range(8):
        launch()


def update(step):
    launch(), launch()
    launch()


def prepare():
    end = time.perf_counter() + 0.004
    while time.perf_counter() < end:
        pass


def train(steps):
    for step in range(steps):
        prepare()
        forward()
        update(step)


def copy(times):
    for _ in range(times):
        brief(None, None, 4)


cuda.cuInit(0)
{"train": train, "copy": copy}[sys.argv[1]](int(sys.argv[2]))
