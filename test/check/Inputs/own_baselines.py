#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks each recording of the repository against the baseline made from it.

Usage: own_baselines.py AUTOPROF ROOT
"""
import pathlib
import subprocess
import sys

FOLDERS = ["bench/predictions/recordings", "examples/recordings", "test/report/Inputs"]


def run(*arguments):
    return subprocess.run(arguments, capture_output=True, text=True)


def main():
    autoprof, root = sys.argv[1:]
    traces = [
        trace
        for folder in FOLDERS
        for trace in sorted(pathlib.Path(root, folder).rglob("*.pftrace.gz"))
    ]
    passed = 0
    for trace in traces:
        command = [autoprof, "check", "--baseline=own", str(trace)]
        update = run(*command, "--update")
        if update.returncode:
            print(f"{trace.name}: no baseline: {update.stderr.strip()}")
            continue
        check = run(*command)
        if check.returncode or not check.stdout.splitlines()[-1].startswith("fine: "):
            sys.exit(f"{trace}: {check.stdout}{check.stderr}")
        passed += 1
    print(f"{passed} pass")


main()
