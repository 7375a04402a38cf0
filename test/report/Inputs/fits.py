# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that no line of some files is wider than so many columns, and that
there are no control characters. Usage: fits.py COLUMNS FILE...
"""
import re
import sys

for path in sys.argv[2:]:
    with open(path, "rb") as file:
        lines = file.read().decode("utf-8").replace("\r\n", "\n").split("\n")
    assert len(lines) > 10, f"{path} is empty"
    for line in lines:
        assert len(line) <= int(sys.argv[1]), (path, len(line), line)
        assert not re.search("[\x00-\x1f\x7f]", line), (path, line)
