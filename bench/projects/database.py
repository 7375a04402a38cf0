#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a compile_commands.json for sources that have none.

    bench/projects/database.py ROOT... > compile_commands.json

Lists the .cu files below each ROOT, and the .c, .cc, .cpp and .cxx files that
include a CUDA header, each as `nvcc -std=c++17 -I... -c FILE`. The include
folders are all folders with headers from the file's own up to ROOT, and the
folders called include, inc, common or utils directly below them.
"""
import json
import os
import re
import sys

CUDA_HEADER = re.compile(rb'^\s*#\s*include\s*[<"](cuda|cublas|cufft|curand|cusolver|cusparse|nv|thrust/|cub/)', re.M)
HEADERS = (".h", ".hpp", ".cuh", ".hh", ".inl")


def is_source(path):
    extension = os.path.splitext(path)[1]
    if extension == ".cu":
        return True
    if extension not in (".c", ".cc", ".cpp", ".cxx"):
        return False
    with open(path, "rb") as file:
        return bool(CUDA_HEADER.search(file.read()))


def include_folders(folder, root):
    result = []
    while True:
        entries = sorted(os.listdir(folder))
        if any(e.endswith(HEADERS) for e in entries):
            result.append(folder)
        result += [os.path.join(folder, e) for e in entries
                   if e.lower() in ("include", "inc", "common", "utils") and os.path.isdir(os.path.join(folder, e))]
        if folder == root:
            return list(dict.fromkeys(result))
        folder = os.path.dirname(folder)


def entries(root):
    for folder, below, files in os.walk(root):
        below[:] = sorted(b for b in below if not b.startswith("."))
        for name in sorted(files):
            path = os.path.join(folder, name)
            if not os.path.islink(path) and is_source(path):
                includes = ["-I" + i for i in include_folders(folder, root)]
                yield {"directory": folder, "file": path,
                       "arguments": ["nvcc", "-std=c++17", *includes, "-c", path]}


if len(sys.argv) < 2:
    sys.exit(__doc__)
json.dump([e for root in sys.argv[1:] for e in entries(os.path.abspath(root))], sys.stdout, indent=1)
