# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the JSON of `explain --all` in itself.
Usage: check_call_json.py EXPLAINED.def ALL.json ONE.json HERE.json"""
import json
import re
import sys


def explained(path):
    """The measurements that the table answers in another way: (call, what)."""
    with open(path, encoding="utf-8") as file:
        return set(re.findall(r'^AUTOPROF_EXPLAIN\(([^,]+), "([^"]*)"',
                              file.read(), re.M))


def main():
    calls, one, here = [json.load(open(path)) for path in sys.argv[2:]]
    exceptions = explained(sys.argv[1])
    measured = {(m["call"], m["what"]) for m in calls["measured"]}
    assert exceptions and exceptions <= measured, exceptions - measured
    for row in calls["rows"]:
        assert (row["waits"] in ("yes", "maybe")) == (
            row["waits_for"] != "nothing"), row
        assert row["source"], row
        assert bool(row["when"]) == bool(row["conditions"]), row
    # Each measurement stands under exactly one row; those of a GPU that has no
    # work answer no question.
    under = [json.dumps(m) for row in calls["rows"] for m in row["measured"]]
    assert sorted(under) == sorted(
        json.dumps(m) for m in calls["measured"]
        if "another GPU than the busy one" not in (m["what"] or ""))
    for m in calls["measured"]:
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
