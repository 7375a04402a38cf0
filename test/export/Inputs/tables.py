# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the tables of `autoprof convert --to=csv`: text is quoted, so that it differs from numbers
and from what is unknown."""
import re


def value(cell):
    if cell.startswith('"'):
        return cell[1:-1].replace('""', '"')
    return {"": None, "true": True, "false": False}[cell] if cell in ("", "true", "false") else int(cell)


def read(path):
    with open(path, newline="") as file:
        header, text = file.readline(), file.read()
    names, rows, row = header.rstrip("\n").split(","), [], []
    for cell, end in re.findall(r'("(?:[^"]|"")*"|[^",\n]*)([,\n])', text):
        row.append(value(cell))
        if end == "\n":
            rows.append(dict(zip(names, row, strict=True)))
            row = []
    return rows
