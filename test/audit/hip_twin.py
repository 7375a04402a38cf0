# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrites a CUDA test of the audit for HIP, line by line, with what it
expects. Usage: hip_twin.py SOURCE.cu... FOLDER"""
import pathlib
import re
import sys

RENAMED = {"cudaMallocHost": "hipHostMalloc", "cudaFreeHost": "hipHostFree",
           "cudaHostAlloc": "hipHostMalloc", "CUDART_CB ": "",
           "CUDA_LAUNCH_BLOCKING": "HIP_LAUNCH_BLOCKING",
           "CUDA_MODULE_LOADING=EAGER": "HIP_ENABLE_DEFERRED_LOADING=0",
           "CUstream_st": "ihipStream_t"}


def twin(text):
    for cuda, hip in RENAMED.items():
        text = text.replace(cuda, hip)
    text = re.sub(r"<cuda_runtime(_api)?\.h>", "<hip/hip_runtime.h>", text)
    text = re.sub(r"\bcuda(?=[A-Z])", "hip", text)
    text = text.replace(".cu:", ".hip:")
    # The first line, a comment, makes room for the header.
    return "#include <hip/hip_runtime.h>\n" + text.split("\n", 1)[1]


folder = pathlib.Path(sys.argv[-1])
folder.mkdir(parents=True, exist_ok=True)
for name in sys.argv[1:-1]:
    source = pathlib.Path(name)
    (folder / (source.stem + ".hip")).write_text(twin(source.read_text()))
