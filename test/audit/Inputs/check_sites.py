# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_sites.py JSON: every finding of the audit is at a site, and has a path to it."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
ids = {site["id"] for site in report["sites"]}
assert report["findings"]
for finding in report["findings"]:
    assert finding["site"] in ids, finding
    assert finding["path"], finding
