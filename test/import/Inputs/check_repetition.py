# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps found by repetition agree with those of ranges. Usage: check_repetition.py WITH.json WITHOUT.json (reports)"""
import json
import sys

marked, found = (json.load(open(path)) for path in sys.argv[1:3])
a, b = marked["steps"], found["steps"]
assert (a["found_by"], b["found_by"]) == ("range", "repetition"), (a["found_by"], b["found_by"])
assert abs(a["count"] - b["count"]) <= 2, (a["count"], b["count"])
assert abs(b["median_ns"] / a["median_ns"] - 1) < 0.02, (a["median_ns"], b["median_ns"])
assert a["regime"] == b["regime"]
assert marked["sites"][0]["call"] == found["sites"][0]["call"]
