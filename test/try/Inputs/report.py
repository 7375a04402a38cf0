# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the report of a process (runtime/protocol/Experiment.h): report.py FILE.*"""
import struct
import sys

for path in sys.argv[1:]:
    with open(path, "rb") as file:
        kind, launches, *more = struct.unpack("<2Q32Q32q", file.read())
    assert kind == 0x31307972747061, hex(kind)
    changed, parts = more[:32], [part for part in more[32:] if part]
    print("launches", launches, "changed", sum(changed), "parts",
          *(f"{part / 1e6:.0f}" for part in parts))
