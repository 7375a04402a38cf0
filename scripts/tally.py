# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts lit's results (its -o file): prints "PASSED FAILED SKIPPED", and then
the slowest tests, each as "SECONDS NAME"."""
import collections
import json
import sys

KINDS = {
    "PASS": "passed",
    "XFAIL": "passed",
    "FLAKYPASS": "passed",
    "UNSUPPORTED": "skipped",
    "SKIPPED": "skipped",
    "EXCLUDED": "skipped",
}

with open(sys.argv[1], encoding="utf-8") as results:
    tests = json.load(results)["tests"]
# All other codes are failures: FAIL, XPASS, UNRESOLVED, TIMEOUT.
count = collections.Counter(KINDS.get(test["code"], "failed") for test in tests)
print(count["passed"], count["failed"], count["skipped"])
for test in sorted(tests, key=lambda test: -(test["elapsed"] or 0))[:10]:
    print(round(test["elapsed"] or 0), test["name"])
