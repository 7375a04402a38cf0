# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that docs/check.md has the figures of KnownVariation.def.

Usage: known_variation.py ROOT
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
table = (root / "tool/analysis/comparison/KnownVariation.def").read_text(encoding="utf-8")
known = {name.lower(): round(100 * float(share))
         for name, share in re.findall(r"^KNOWN_VARIATION\((\w+), ([\d.]+),", table, re.M)}
page = " ".join((root / "docs/check.md").read_text(encoding="utf-8").split())
sentence = re.search(r"KnownVariation\.def[^:]*: ([^.]*)\.", page).group(1)
documented = {}
for share, regimes in re.findall(r"(\d+) % ([^,]+)", sentence.replace("without a single limit", "between")):
    for regime in re.sub(r"\b(when|in)\b", "", regimes).split(" or "):
        documented[regime.lower().replace("-", "").replace(" ", "")] = int(share)
assert known and documented == known, (documented, known)
