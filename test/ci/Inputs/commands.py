# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of a CI file as written: commands.py FILE [OPTION...].

FILE: a workflow or an action of GitHub (the steps with `run`, which are known by
their names), or jobs of GitLab (by job and number: audit/1). All run in the
current folder, one after the other, in bash as the service starts it.

--skip=NAME         it needs a network or a GPU: only its syntax is checked
--code=NAME:N       it ends with this exit code, not with 0
--set=EXPRESSION=X  what ${{ EXPRESSION }} is
--only=JOB          of a file with several jobs

Each name that is given must be in the file, and every expression known.
Prints what it ran; the exit code is 1 when a step ended in another way.
"""
import argparse
import os
import re
import subprocess
import sys

import yaml


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    for option in ("skip", "code", "set"):
        parser.add_argument("--" + option, action="append", default=[])
    parser.add_argument("--only")
    options = parser.parse_args()
    options.code = {name: int(code) for name, _, code in (one.rpartition(":") for one in options.code)}
    options.set = dict(one.split("=", 1) for one in options.set)
    return options


def steps_of(document, only):
    """(name, command, variables) of each step that runs one."""
    if "runs" in document:
        jobs = {"": document["runs"]}
    else:
        jobs = document.get("jobs") or document
    for name, job in jobs.items():
        if only and name != only:
            continue
        for number, line in enumerate(job.get("script", ()), 1):
            yield f"{name}/{number}", line, {}
        for step in job.get("steps", ()):
            if "run" in step:
                yield step["name"], step["run"], {**job.get("env", {}), **step.get("env", {})}


def main():
    options = parse()
    with open(options.file, encoding="utf-8") as file:
        steps = list(steps_of(yaml.safe_load(file), options.only))
    unknown = {*options.skip, *options.code} - {name for name, _, _ in steps}
    if unknown or not steps:
        sys.exit(f"{options.file} has no step {', '.join(sorted(unknown)) or 'at all'}")

    def expand(text):
        return re.sub(r"\$\{\{\s*(.*?)\s*\}\}", lambda match: options.set[match[1]], str(text))

    for name, command, variables in steps:
        skipped = name in options.skip
        print(f"{'skip' if skipped else 'run'}: {name}", flush=True)
        if skipped:
            subprocess.run(["bash", "-n", "-c", command], check=True)
            continue
        environment = {**os.environ, **{key: expand(value) for key, value in variables.items()}}
        bash = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", expand(command)]
        code = subprocess.run(bash, env=environment, stdin=subprocess.DEVNULL).returncode
        if code != options.code.get(name, 0):
            sys.exit(f"'{name}' ended with {code}:\n{command}")


if __name__ == "__main__":
    main()
