# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""contains.py TEXT LINES...: every line of the other files is somewhere in TEXT."""
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    assert lines, f"{path} is empty"
    missing = [line for line in lines if line not in text]
    assert not missing, missing
