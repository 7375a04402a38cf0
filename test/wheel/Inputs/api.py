# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test/runtime/Inputs/api.c in Python: 20 steps with a launch each, of which
those from 5 to 9 are wanted if argv[1] is "starts"."""
import ctypes
import sys

import autoprof


def prepare():
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return lambda: None
    driver.cuInit(0)
    launch = driver.cuLaunchKernel
    launch.argtypes = [ctypes.c_void_p] + [ctypes.c_uint] * 7 + [ctypes.c_void_p] * 3
    return lambda: launch(None, 1, 1, 1, 1, 1, 1, 0, None, None, None)


starts = "starts" in sys.argv
launch = prepare()
told = 0
for i in range(20):
    if starts and i == 5:
        told += autoprof.start()
    if starts and i == 10:
        told += autoprof.stop()
    told += autoprof.step()
    launch()

print("recorder", {0: "absent", 20 + 2 * starts: "there"}.get(told, "?"), flush=True)
