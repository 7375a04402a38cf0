#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks who includes whom: arrows.py ROOT.

Folders form no cycle by what their files include, and the arrows that
docs/architecture.md rules out do not exist. Prints what is wrong, with the
files at fault; exit code 1 then.
"""

import collections
import pathlib
import re
import sys

TOPS = ("tool", "runtime", "include")
# From, to: no file of the first includes one of the second.
NEVER = [
    ("runtime", "tool"),
    ("include", "tool"),
    ("include", "runtime"),
    ("tool/source", "tool/analysis"),
    ("tool/analysis", "tool/source"),
    ("tool/analysis", "tool/report"),
    ("tool/support", "tool/cli"),
    ("tool/support", "tool/source-cli"),
    ("tool/compilation", "tool/source-cli"),
]
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def resolve(root, file, name):
    """The project's file that `file` includes as `name`, or None."""
    for base in (file.parent, root / "tool", root, root / "include"):
        found = base / name
        if found.is_file():
            return found.resolve()
    return None


def read(root):
    """{folder: {folder it includes: "file -> file"}}, relative to root."""
    arrows = collections.defaultdict(dict)
    for top in TOPS:
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in (".h", ".cpp", ".def"):
                continue
            for name in INCLUDE.findall(file.read_text()):
                target = resolve(root, file, name)
                if not target:
                    continue
                here, there = (p.relative_to(root) for p in (file, target))
                if here.parent != there.parent:
                    arrows[here.parent].setdefault(there.parent, f"{here} -> {there}")
    return arrows


def find_cycle(arrows):
    """The folders of one cycle, the first one again at the end, or []."""
    done, path = set(), []

    def visit(folder):
        if folder in path:
            return path[path.index(folder) :] + [folder]
        if folder in done:
            return []
        path.append(folder)
        for other in sorted(arrows.get(folder, ())):
            if cycle := visit(other):
                return cycle
        path.pop()
        done.add(folder)
        return []

    for folder in sorted(arrows):
        if cycle := visit(folder):
            return cycle
    return []


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    arrows = read(root)
    assert len(arrows) > 20, "the includes were not found"
    wrong = []
    if cycle := find_cycle(arrows):
        wrong.append("folders include each other in a circle:")
        wrong += [f"  {arrows[a][b]}" for a, b in zip(cycle, cycle[1:])]
    for folder in sorted(arrows):
        for other, files in sorted(arrows[folder].items()):
            for source, target in NEVER:
                if folder.is_relative_to(source) and other.is_relative_to(target):
                    wrong.append(f"{source} must not include {target}: {files}")
    print("\n".join(wrong) if wrong else f"{len(arrows)} folders, no arrow that must not be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
