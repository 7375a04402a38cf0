# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that docs/calibrate.md names the keys of a calibration, and no other.
Usage: check_semantics_json.py DOCS FILE"""
import json
import re
import sys

documented = set()
for key in re.findall(r"^\| `([^`]+)` \|", open(sys.argv[1], encoding="utf-8").read(), re.M):
    documented.add(re.sub(r"\[\]$", "", key))


def keys(value, prefix=""):
    """a, a.b and a[].b for every key."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield prefix + key
            yield from keys(inner, prefix + key + ".")
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner, prefix[:-1] + "[].")


calibration = json.load(open(sys.argv[2], encoding="utf-8"))
# Facts are named by the catalogue, not by the schema.
found = {key for key in keys(calibration)
         if not key.startswith("observations[].facts.")}
assert found == documented, (found - documented, documented - found)
assert calibration["schema"] == "autoprof-semantics/1"
