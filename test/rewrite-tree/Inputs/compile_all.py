# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles each source of a tree's compile_commands.json with its -I options."""
import json
import pathlib
import subprocess
import sys

tree, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
for entry in json.loads((tree / "compile_commands.json").read_text()):
    includes = [a for a in entry["arguments"] if a.startswith("-I")]
    done = subprocess.run(command + includes + [entry["file"]], cwd=entry["directory"])
    if done.returncode:
        sys.exit(f"{entry['file']} does not compile")
