# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ranks.py ALL ONE...: the report of all ranks agrees with those of each."""
import json
import sys

whole, *ones = [json.load(open(path)) for path in sys.argv[1:]]
assert [r["rank"] for r in whole["ranks"]] == [0, 1, 2, 3]
assert whole["unreadable"] == [] and whole["doubts"] == []
for rank, one in zip(whole["ranks"], ones):
    assert rank["ranks"] == 4 and rank["local_rank"] == rank["rank"]
    for key in ("count", "measured", "median_ns", "p95_ns", "wait_ns", "exposed_ns", "busy_ns", "span_ns"):
        assert rank["steps"][key] == one["steps"][key], key
    assert rank["wait_ns"] == one["summary"]["wait_ns"]
for site in whole["sites"]:
    each = [s for one in ones for s in one["sites"] if s["id"] == site["id"] and s["call"] == site["call"]]
    assert site["ranks"] == len(each)
    for key in ("count", "waits", "wait_ns", "exposed_ns"):
        assert site[key] == sum(s[key] for s in each), key
    assert site["most_wait_ns"] == max(s["wait_ns"] for s in each)
    assert site["least_wait_ns"] == min(s["wait_ns"] for s in each)
copy = whole["sites"][0]
assert copy["call"] == "cudaMemcpy" and copy["most_wait_path"].endswith("rank2.pftrace")
assert [s["number"] for s in whole["steps"]] == list(range(3, 21))
for step in whole["steps"]:
    assert step["slowest_rank"] == 2
    assert step["fastest_ns"] <= step["median_ns"] <= step["time_ns"]
