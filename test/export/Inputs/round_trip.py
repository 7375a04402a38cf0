# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `autoprof` says of a recording and of an export of it is the same:

    round_trip.py AUTOPROF RECORDING EXPORT FOLDER

Waits, exposed stalls and steps one by one, and the whole report. FOLDER is for
tables.
"""
import json
import pathlib
import re
import subprocess
import sys

from tables import read

autoprof, recording, export, folder = sys.argv[1:]


def report(path):
    return json.loads(subprocess.run([autoprof, "report", "--format=json", path], check=True,
                                     capture_output=True).stdout)


def rows(path, table):
    target = pathlib.Path(folder, "tables", pathlib.Path(path).name)
    subprocess.run([autoprof, "convert", "--to=csv", path, target], check=True)
    part, = target.glob(f"table={table}/*/part-0.csv")
    # Calls are numbered anew, among what each format holds.
    return [{k: v for k, v in row.items() if k not in ("call_id", "waited_for")} for row in read(part)]


before, after = report(recording), report(export)
for table in ("waits", "steps", "gaps"):
    a, b = rows(recording, table), rows(export, table)
    assert len(a) == len(b), (table, len(a), len(b))
    for one, other in zip(a, b):
        assert one == other, (table, one, other)
# All that the report says, but for the file itself, and for expressions, whose
# columns are in stacks only.
for whole in (before, after):
    for site in whole["sites"]:
        del site["expression"]
    for member in (whole["answer"] or {}).get("members", []):
        del member["change"]
    for name in ("cpu_lines", "sleeping_lines"):  # No export has samples.
        del whole[name]
    # The sentence has the expressions, too; cpu_busy[] has its figures and lines.
    if whole["steps"].get("regime_why"):
        whole["steps"]["regime_why"] = re.sub(r"; [0-9.<]+ % .*", "", whole["steps"]["regime_why"])
    for name in ("path", "file_bytes"):
        del whole["inputs"][0][name]
if not export.endswith(".json"):
    # A read-back's operator has its whole CPU time in JSON only, and what it saves is part of these.
    if any(site["kind"] == "operator" and site["waits"] for site in before["sites"]):
        for whole in (before, after):
            del whole["findings"], whole["what_if"], whole["answer"]
            for site in whole["sites"]:
                del site["expected_gain"], site["gain_low_ns"], site["gain_high_ns"]
                (site["steps"] or {}).clear()


def without_columns(value):
    """Columns are in stacks only."""
    if isinstance(value, dict):
        return {k: without_columns(v) for k, v in value.items() if k != "column"}
    return [without_columns(v) for v in value] if isinstance(value, list) else value


def differences(one, other, path=""):
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(one.keys() | other.keys()):
            yield from differences(one.get(key), other.get(key), f"{path}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for i, (a, b) in enumerate(zip(one, other)):
            yield from differences(a, b, f"{path}[{i}]")
    elif one != other:
        yield f"{path}: {one!r} became {other!r}"


found = list(differences(without_columns(before), without_columns(after)))
assert not found, "\n".join(found[:20])
print(f"{len(rows(recording, 'waits'))} waits, {len(before['sites'])} sites: the same")
