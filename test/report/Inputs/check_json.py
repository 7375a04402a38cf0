# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the JSON of report, diff, ranks and summaries against the keys that docs/json.md lists."""
import json
import re
import sys


def documented(text, heading):
    """Keys in the tables under `heading`: the first cell of each row, which may
    name several: `a.b`, `.c` is a.b and a.c."""
    section = text.split("\n## " + heading)[1].split("\n## ")[0]
    keys = set()
    for cell in re.findall(r"^\| (`[^|]+`) \|", section, re.M):
        first, *others = re.findall(r"`([^`]+)`", cell)
        keys.add(first)
        keys.update(first.rpartition(".")[0] + other for other in others)
    return keys


def paths(value, prefix=""):
    """a, a.b, and a[].b for every key, and every number on the way."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield prefix + key, inner
            yield from paths(inner, prefix + key + ".")
    elif isinstance(value, list):
        for inner in value:
            yield from paths(inner, prefix[:-1] + "[].")


def check(text, heading, path):
    with open(path, encoding="utf-8") as file:
        found = list(paths(json.load(file)))
    # Each rule has its own evidence (docs/findings.md).
    keys = {re.sub(r"\[\]$", "", name) for name, _ in found if ".evidence." not in name}
    known = {name[:-2] if name.endswith("[]") else name
             for name in documented(text, heading)}
    # What a null could hold cannot be seen here.
    unknown = {name for name, value in found if value is None}
    known = {key for key in known
             if key in keys or not any(key.startswith((name + ".", name + "[].")) for name in unknown)}
    assert keys == known, f"{heading}: undocumented {keys - known}, missing {known - keys}"
    for name, value in found:
        if name.endswith("_ns") and value is not None:
            assert isinstance(value, int), (name, value)
            assert value >= 0 or "_change." in name, (name, value)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    check(text, "autoprof-report/1", sys.argv[2])
    check(text, "autoprof-diff/1", sys.argv[3])
    check(text, "autoprof-ranks/1", sys.argv[4])
    check(text, "autoprof-summary/1", sys.argv[5])


main()
