# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that an annotated trace begins with the original's bytes and gives the
same report. Usage: same_report.py AUTOPROF ORIGINAL ANNOTATED
"""
import json
import subprocess
import sys


def report(path):
    text = subprocess.run([sys.argv[1], "report", "--format=json", path],
                          stdout=subprocess.PIPE, check=True).stdout
    result = json.loads(text)
    for name in ("path", "file_bytes"):
        del result["inputs"][0][name]
    return result


with open(sys.argv[2], "rb") as file:
    original = file.read()
with open(sys.argv[3], "rb") as file:
    annotated = file.read()
assert annotated.startswith(original), "the original's packets are not kept"
assert len(annotated) > len(original), "nothing was added"
assert report(sys.argv[2]) == report(sys.argv[3]), "another report"
