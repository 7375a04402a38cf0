# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks JSON: the keys that a section of docs/json.md lists, and no others."""
import json
import re
import sys


def paths(value, prefix=""):
    """a, a.b, and a[].b for every key."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield prefix + key + ("[]" if isinstance(inner, list) else "")
            yield from paths(inner, prefix + key + ".")
    elif isinstance(value, list):
        for inner in value:
            yield from paths(inner, prefix[:-1] + "[].")


document, schema, output = sys.argv[1:]
with open(document, encoding="utf-8") as file:
    section = file.read().split(f"\n## {schema}\n")[1].split("\n## ")[0]
known = set(re.findall(r"^\| `([^`]+)` \|", section, re.M))
with open(output, encoding="utf-8") as file:
    report = json.load(file)
assert report["schema"] == schema
found = set(paths(report))
assert found == known, f"undocumented: {found - known}, missing: {known - found}"
