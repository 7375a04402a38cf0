# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the JSON of `explain --all` against docs/json.md and in itself.
Usage: check_call_json.py DOCS ALL.json ONE.json"""
import json
import re
import sys


def keys(value, prefix=""):
    """a, a.b and a[].b for every key."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield prefix + key
            yield from keys(inner, prefix + key + ".")
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner, prefix[:-1] + "[].")


def documented(path):
    with open(path, encoding="utf-8") as file:
        section = file.read().split("\n## autoprof-call/1")[1].split("\n## ")[0]
    return {re.sub(r"\[\]$", "", key)
            for key in re.findall(r"^\| `([^`]+)` \|", section, re.M)}


def main():
    calls, one = json.load(open(sys.argv[2])), json.load(open(sys.argv[3]))
    assert calls["schema"] == one["schema"] == "autoprof-call/1"
    found, known = set(keys(calls)), documented(sys.argv[1])
    assert found == known, (found - known, known - found)
    for row in calls["rows"]:
        assert row["waits"] in ("yes", "no", "maybe", "slow"), row
        assert (row["waits"] in ("yes", "maybe")) == (
            row["waits_for"] != "nothing"), row
        assert row["source"], row
        assert bool(row["when"]) == bool(row["conditions"]), row
        assert row["waits"] != "maybe" or row["why"], row
    # Each measurement stands under exactly one row.
    under = [m["what"] for row in calls["rows"] for m in row["measured"]]
    assert sorted(under) == sorted(m["what"] for m in calls["measured"])
    for m in calls["measured"]:
        assert all(isinstance(m[key], int) for key in m if key.endswith("_ns"))
        # No row says the contrary of what was measured under it.
    for row in calls["rows"]:
        for m in row["measured"]:
            if row["waits"] != "maybe" and "2000 launches" not in m["what"]:
                assert m["waited"] == (row["waits"] == "yes"), (row, m)
    assert one["call"] == "cudaMemcpyAsync"
    assert {row["name"] for row in one["rows"]} == {"cudaMemcpyAsync"}
    assert len(one["rows"]) == 8 and len(one["measured"]) == 35, one


main()
