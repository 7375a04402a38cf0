# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Synchronizations with a comment that says why they are not in the patch.

marked.py ROOT FILE... writes a try.json in which each of them gains time;
marked.py --check TRY-JSON FILE... compares the reasons with the comments.
"""

import json
import pathlib
import re
import subprocess
import sys

marks = []
for file in sys.argv[2 if sys.argv[1] != "--check" else 3:]:
    for number, line in enumerate(pathlib.Path(file).read_text().splitlines(), 1):
        if found := re.search(r"(SYNC|cudaDeviceSynchronize)\b[^/]*// (.*)", line):
            marks.append((file, number, found[2].strip()))
if sys.argv[1] == "--check":
    patch = json.loads(pathlib.Path(sys.argv[2]).read_text())["patch"]
    reasons = {(one["file"], one["line"]): one["why"] for one in patch["declined"]}
    wrong = [f"{file}:{line}: {reasons.get((file, line))}" for file, line, words in marks
             if words not in reasons.get((file, line), "")]
    sys.exit("\n".join(wrong + [f"{one['file']}:{one['line']}: in the patch" for one in patch["changes"]]) or 0)
script = pathlib.Path(__file__).with_name("tried.py")
subprocess.run([sys.executable, script, sys.argv[1]] +
               [f"{file}:{line}:cudaDeviceSynchronize" for file, line, _ in marks], check=True)
