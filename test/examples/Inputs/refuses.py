# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs mlp_train with bad command lines; prints the sentence each one gets."""
import subprocess
import sys

BAD = [
    ["--widht", "128"],
    ["--width"],
    ["--width", "12x"],
    ["--width="],
    ["--steps", "0"],
    ["--layers", "-3"],
    ["--batch", "99999999999999999999"],
    ["--seed", "-1"],
    ["--lr", "nan"],
    ["--loss", "sometimes"],
    ["--loss=every=0"],
]

for arguments in BAD:
    run = subprocess.run(
        [sys.argv[1], *arguments], capture_output=True, text=True, check=False
    )
    assert run.returncode == 2, (arguments, run)
    assert run.stdout == "", (arguments, run)
    print(run.stderr, end="")
