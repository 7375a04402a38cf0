# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes small traces as other producers write them into the current folder.
Perfetto's are encoded here: a few fields of protos/perfetto/trace."""
import gzip
import json
import zlib


def varint(n):
    out = b""
    while n >= 128:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def field(tag, value):
    if isinstance(value, int):
        return varint(tag << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(tag << 3 | 2) + varint(len(value)) + value


def packet(*fields):
    return field(1, b"".join(fields))


def event(*fields):
    return field(11, b"".join(fields))


BEGIN, END = field(9, 1), field(9, 2)
GPU_OPERATION = field(53, field(1, 7) + field(2, 1000))
names = field(12, field(1, field(1, 1) + field(2, "rendering")) + field(2, field(1, 1) + field(2, "draw")))

# A program that uses Perfetto's library; a third of it packed.
slices = [packet(field(8, t), event(BEGIN, field(3, 1), field(10, 1))) +
          packet(field(8, t + 1), event(END)) +
          packet(field(8, t + 2), event(BEGIN, field(22, "io"), field(23, "custom read"))) +
          packet(field(8, t + 3), event(END)) for t in range(0, 3000, 4)]
trace = packet(field(10, 1), names) + b"".join(slices[:500]) + packet(field(50, zlib.compress(b"".join(slices[500:]))))
open("app.pftrace", "wb").write(trace)

# A system: schedulings, no slices of programs.
open("android.pftrace", "wb").write(
    packet(field(45, field(2, "generic/phone/phone:15"))) + packet(field(1, field(1, 0))) + 2 * packet(GPU_OPERATION))

# JAX and TensorFlow: planes with a name, or with a number and a name.
line = field(3, field(2, "main") + field(4, field(1, 7) + field(3, 100)))
open("vm.xplane.pb", "wb").write(field(1, field(2, "/host:metadata") + line) + field(1, field(2, "/host:CPU") + 9 * line))

json.dump({"traceEvents": [
    {"ph": "M", "pid": 1, "tid": 1, "name": "process_name", "args": {"name": "MainProcess"}},
    {"pid": 1, "tid": 1, "ts": 10.5, "ph": "X", "dur": 3.25, "name": "f (a.py:1)", "cat": "fee"},
    {"pid": 1, "tid": 1, "ts": 11.5, "ph": "X", "dur": 1.25, "name": "g (a.py:4)", "cat": "fee"}],
    "viztracer_metadata": {"version": "1.1.1", "overflow": False}, "file_info": {}}, open("viztracer.json", "w"))
with gzip.open("tensorflow.json.gz", "wt") as file:
    json.dump({"displayTimeUnit": "ns", "metadata": {"highres-ticks": True}, "traceEvents": [
        {"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "/device:GPU:0"}},
        {"ph": "M", "pid": 701, "name": "process_name", "args": {"name": "/host:CPU"}},
        {"ph": "X", "pid": 1, "tid": 7, "ts": 1.0, "dur": 2.0, "name": "gemm", "args": {"correlation_id": "1"}}]}, file)
json.dump([{"ph": phase, "cat": cat, "name": "x", "pid": 1, "tid": 1, "ts": t, "dur": 1}
           for t, cat in enumerate(260 * "abcde") for phase in "B"], open("chrome.json", "w"))
