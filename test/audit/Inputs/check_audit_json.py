# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the audit's JSON: the keys that docs/json.md lists, and no others."""
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


with open(sys.argv[1], encoding="utf-8") as file:
    section = file.read().split("\n## autoprof-audit/1")[1].split("\n## ")[0]
known = set(re.findall(r"^\| `([^`]+)` \|", section, re.M))
with open(sys.argv[2], encoding="utf-8") as file:
    report = json.load(file)
# Notes are rare: what holds for path[] holds for them.
found = set(paths(report))
missing = {key for key in known - found if ".notes[]." not in key}
assert not found - known, f"undocumented: {found - known}"
assert not missing, f"missing: {missing}"
assert report["schema"] == "autoprof-audit/1"
for site in report["sites"]:
    assert site["waits"] in ("yes", "no", "maybe"), site
    assert site["waits"] != "maybe" or site["why"], site
ids = {site["id"] for site in report["sites"]}
for finding in report["findings"]:
    assert finding["site"] in ids, finding
    assert finding["path"], finding
