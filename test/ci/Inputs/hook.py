# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does what pre-commit does with a hook of the language `system`: hook.py
CONFIGURATION HOOKS FILE...

The entry runs if the hook's `files` matches some of the FILEs, with their names
unless `pass_filenames` is false. Prints the
exit code of each of the two files' hooks, which must be the same hook.
"""
import re
import shlex
import subprocess
import sys

import yaml

documents = [yaml.safe_load(open(path, encoding="utf-8")) for path in sys.argv[1:3]]
hooks = [documents[0]["repos"][0]["hooks"][0], documents[1][0]]
assert len({(h["id"], h["language"], h["entry"], h["files"], h.get("pass_filenames", True)) for h in hooks}) == 1, hooks
for hook in hooks:
    assert hook["language"] == "system"
    files = [file for file in sys.argv[3:] if re.search(hook["files"], file)]
    if not files:
        print("skipped", flush=True)
        continue
    if not hook.get("pass_filenames", True):
        files = []
    code = subprocess.run(shlex.split(hook["entry"]) + files, stdin=subprocess.DEVNULL).returncode
    print(hook["entry"], *files, end=f": {code}\n", flush=True)
