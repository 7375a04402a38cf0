# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of a page: tutorial.py PAGE FOLDER, in FOLDER.

The commands are the blocks that begin with ```sh, in order, in one shell that
stops at the first failure. Blocks that begin with ```sh gpu are left out.
"""
import pathlib
import re
import subprocess
import sys

page, folder = pathlib.Path(sys.argv[1]), sys.argv[2]
blocks = re.findall(r"^```sh\n(.*?)^```$", page.read_text(), flags=re.S | re.M)
if not blocks:
    sys.exit(f"{page} has no commands")
script = "set -eux\n" + "\n".join(blocks)
done = subprocess.run(["bash"], input=script, text=True, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
print(done.stdout)
if done.returncode:
    print(done.stdout, file=sys.stderr)
print(f"{page.name}: {len(blocks)} blocks, exit code {done.returncode}")
sys.exit(done.returncode)
