# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the JSON of `explain --all` against docs/json.md and in itself.
Usage: check_call_json.py DOCS EXPLAINED.def ALL.json ONE.json HERE.json"""
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


def explained(path):
    """The measurements that the table answers in another way: (call, what)."""
    with open(path, encoding="utf-8") as file:
        return set(re.findall(r'^AUTOPROF_EXPLAIN\(([^,]+), "([^"]*)"',
                              file.read(), re.M))


def main():
    calls, one, here = [json.load(open(path)) for path in sys.argv[3:]]
    exceptions = explained(sys.argv[2])
    measured = {(m["call"], m["what"]) for m in calls["measured"]}
    assert exceptions and exceptions <= measured, exceptions - measured
    assert calls["schema"] == one["schema"] == "autoprof-call/1"
    found, known = set(keys(calls)) | set(keys(here)), documented(sys.argv[1])
    assert found == known, (found - known, known - found)
    for row in calls["rows"]:
        assert row["waits"] in ("yes", "no", "maybe", "slow"), row
        assert (row["waits"] in ("yes", "maybe")) == (
            row["waits_for"] != "nothing"), row
        assert row["source"], row
        assert bool(row["when"]) == bool(row["conditions"]), row
        assert row["waits"] != "maybe" or row["why"], row
    # Each measurement stands under exactly one row; those of a GPU that has no
    # work answer no question.
    under = [json.dumps(m) for row in calls["rows"] for m in row["measured"]]
    assert sorted(under) == sorted(
        json.dumps(m) for m in calls["measured"]
        if "another GPU than the busy one" not in (m["what"] or ""))
    for m in calls["measured"]:
        assert all(m[key] is None or isinstance(m[key], int)
                   for key in m if key.endswith("_ns"))
        assert not m["here"]
        # No row says the contrary of what was measured under it.
    for row in calls["rows"]:
        for m in row["measured"]:
            if row["waits"] != "maybe" and m["waited"] is not None and (
                    (m["call"], m["what"]) not in exceptions):
                assert m["waited"] == (row["waits"] == "yes"), (row, m)
    assert one["call"] == "cudaMemcpyAsync"
    assert {row["name"] for row in one["rows"]} == {"cudaMemcpyAsync"}
    assert len(one["rows"]) == 8 and len(one["measured"]) >= 35, one
    # What was measured on the user's machine comes first, and answers.
    assert here["measured"][0]["here"] and not here["measured"][-1]["here"]
    assert [row["here"] for row in calls["rows"]] == [None] * len(calls["rows"])
    answers = [row["here"] for row in here["rows"]
               if row["conditions"].get("destination") == ["Device", "Managed"]]
    assert answers == [{"waits": "no", "waits_for": "nothing", "source":
                        "measured here: NVIDIA L4, driver 1.2, CUDA 13.0"}]


main()
