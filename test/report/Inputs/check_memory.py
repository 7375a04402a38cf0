# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_memory.py DOCS JSON: device_memory of a fabricated recording, key by key."""
import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    documented = set(re.findall(r"^\| `(device_memory[^`]*)`", file.read(), re.M))
with open(sys.argv[2], encoding="utf-8") as file:
    memory, = json.load(file)["device_memory"]


def keys(value, prefix):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield prefix + "." + key
            yield from keys(inner, prefix + "." + key)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner, prefix + "[]")


found = {re.sub(r"(at_peak|not_freed)\[\]\..*", r"\1[]", key) for key in keys(memory, "device_memory[]")}
lists = {key for key in found if any(other.startswith(key + "[]") for other in found)}
listed = found - lists | {"device_memory[]"}
assert listed == documented, listed ^ documented
assert memory["peak_bytes"] == 3 << 20 and memory["peak_at_ns"] == 271_000, memory
assert [point["bytes"] >> 20 for point in memory["curve"]] == [1, 3, 2], memory["curve"]
assert memory["not_freed"][0]["bytes"] == 2 << 20, memory["not_freed"]
