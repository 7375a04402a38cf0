# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The manifest of a tree says what its files say."""
import json
import pathlib
import re
import sys

tree = pathlib.Path(sys.argv[1])
manifest = json.loads((tree / "autoprof-sites.json").read_text())
assert manifest["skipped"] == [] and manifest["not_instrumented"] == []
assert manifest["units"] == 3

ids = [site["id"] for site in manifest["sites"]]
assert len(ids) == len(set(ids)), "an id of two sites"
probes = {}
rows = set()
for path in tree.rglob("*"):
    if not path.is_file() or path.suffix not in (".cu", ".h", ".cpp"):
        continue
    name = str(path.relative_to(tree))
    text = path.read_text()
    if name.startswith("autoprof/"):
        continue
    for found in re.findall(r"AP_(?:SITE|SITE_SCOPE|RANGE)\((0x[0-9a-f]{16})\)", text):
        probes.setdefault(name, []).append(found)
    for table in re.findall(r'AP_TABLE\("(.*)"\)', text):
        rows |= {tuple(row.split("|")) for row in table.split(";") if row}

for site in manifest["sites"]:
    assert probes[site["file"]].count(site["id"]) == 1, site
    assert (site["id"], site["kind"], str(site["line"]), str(site["column"]), site["file"],
            site["function"], site["callee"] or "") in rows, site
assert sum(map(len, probes.values())) == len(ids)
assert len(rows) == len(ids), "tables and sites differ"

files = {entry["file"]: entry for entry in manifest["files"]}
here = {str(p.relative_to(tree)) for p in tree.rglob("*") if p.is_file()}
assert here - set(files) == {"autoprof-sites.json", "autoprof/annotated.h", "autoprof/probe.h"}, here ^ set(files)
for name, entry in files.items():
    assert entry["probes"] == len(probes.get(name, [])), entry
    assert entry["result"] == ("annotated" if name in probes else "copied"), entry
