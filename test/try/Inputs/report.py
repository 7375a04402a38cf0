# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the report of a process (runtime/protocol/Experiment.h): report.py FILE.*"""
import struct
import sys

for path in sys.argv[1:]:
    with open(path, "rb") as file:
        kind, launches, changed, *more = struct.unpack("<3Q32q", file.read())
    assert kind == 0x31307972747061, hex(kind)
    parts = [part for part in more if part]
    print("launches", launches, "changed", changed, "parts",
          *(f"{part / 1e6:.0f}" for part in parts))
