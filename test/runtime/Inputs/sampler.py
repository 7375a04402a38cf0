# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A loop whose CPU sleeps until another thread has fetched a result from the GPU,
and then computes. Its line numbers are in sampler.test."""
import concurrent.futures
import ctypes
import sys
import time

cuda = ctypes.CDLL("libcuda.so.1")


def launch():
    cuda.cuLaunchKernel(None, 1, 1, 1, 1, 1, 1, 0, None, None, None)


def compute():
    end = time.perf_counter() + 0.006
    while time.perf_counter() < end:
        pass


def fetch():
    time.sleep(0.003)
    cuda.cudaMemcpy(None, None, 4, 2)


def train(steps):
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        for step in range(steps):
            launch()
            pool.submit(fetch).result()
            compute()


cuda.cuInit(0)
train(int(sys.argv[1]))
