# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_memory.py JSON: device_memory of a fabricated recording."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    memory, = json.load(file)["device_memory"]

assert memory["peak_bytes"] == 3 << 20 and memory["peak_at_ns"] == 271_000, memory
assert [point["bytes"] >> 20 for point in memory["curve"]] == [1, 3, 2], memory["curve"]
assert memory["not_freed"][0]["bytes"] == 2 << 20, memory["not_freed"]
