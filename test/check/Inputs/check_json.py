# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_json.py JSON.md SCHEMA FILE: the keys of FILE are those that JSON.md
lists for SCHEMA, all of them."""
import json
import re
import sys


def paths(value, prefix=""):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield prefix + key
            yield from paths(inner, prefix + key + ".")
    elif isinstance(value, list):
        for inner in value:
            yield from paths(inner, prefix[:-1] + "[].")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        section = file.read().split("\n## " + sys.argv[2])[1].split("\n## ")[0]
    known = {name.removesuffix("[]") for name in re.findall(r"^\| `([^`]+)` \|", section, re.M)}
    with open(sys.argv[3], encoding="utf-8") as file:
        value = json.load(file)
    found = set(paths(value))
    assert value["schema"] == sys.argv[2]
    assert found == known, f"undocumented {found - known}, missing {known - found}"


main()
