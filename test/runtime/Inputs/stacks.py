# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same in Python. ctypes gives up the GIL in a call, as PyTorch does."""
import ctypes
import threading

cuda = ctypes.CDLL("libcuda.so.1")


def launch():
    cuda.cuLaunchKernel(None, 1, 1, 1, 1, 1, 1, 0, None, None, None)


class Loss:
    def item(self):

        cuda.cudaMemcpy(None, None, 4, 2)


def train(steps):
    for step in range(steps):
        launch()
        value = [Loss().item() for _ in range(1)]
        if step % 2:
            print(value, end="")


cuda.cuInit(0)
train(10)
other = threading.Thread(target=train, args=(3,), name="größer")
other.start()
sum(i for i in range(100000))  # Python runs while the other thread waits.
other.join()
