# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles each source of a project's compile_commands.json in its tree. Generated
headers are in the project's build folder."""
import json
import pathlib
import subprocess
import sys

project, tree, command = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
for entry in json.loads((project / "compile_commands.json").read_text()):
    done = subprocess.run(command + ["-I", project / "build", entry["file"]], cwd=tree)
    if done.returncode:
        sys.exit(f"{entry['file']} does not compile")
