#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows how much of a project still compiles with probes.

    bench/projects/table.py -p BUILD/compile_commands.json [--columns read,clang,plugin,nvcc,tree]

Each column is one way to process each source of the compilation database:
  read    clang reads its host side, with autoprof's support for nvcc's sources (autoprof sources)
  partly  clang reads at least those of its functions that have no errors
  clang   clang compiles its host side, with autoprof/nvcc_compat.h if the command is nvcc's
  plugin  the same with -fplugin=autoprof; the messages must be those of `clang`
  nvcc    the database's own command
  tree    the same command in the annotated tree (--tree DIR, which autoprof rewrite made from the project)

Prints how many sources each column accepts, and each source that a plain column
accepts but the instrumented one next to it does not. Exit status: 1 if there is
such a source, else 0.
"""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PAIRS = [("clang", "plugin"), ("nvcc", "tree")]


def run(command, folder, seconds):
    """Returns (exit status or None, messages)."""
    try:
        done = subprocess.run(command, cwd=folder, timeout=seconds, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace")
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return None, f"not done after {seconds:g} s"
    except OSError as e:
        return None, str(e)


def arguments(entry):
    import shlex
    return list(entry["arguments"]) if "arguments" in entry else shlex.split(entry["command"])


def to_output(command, output):
    """The command with another output, and with -c so that it does not link."""
    result, skip = [], False
    for word in command:
        if skip:
            skip = False
        elif word == "-o":
            skip = True
        elif not word.startswith("-o") or len(word) > 2 and not os.path.splitext(word)[1] == ".o":
            result.append(word)
    return result + ([] if "-c" in result or "-dc" in result else ["-c"]) + ["-o", output]


class Project:
    def __init__(self, options):
        self.options = options
        self.build = os.path.join(HERE, "..", "..", "build", "release") if not options.build else options.build
        database = options.p if options.p.endswith(".json") else os.path.join(options.p, "compile_commands.json")
        with open(database) as f:
            self.entries = {}
            for entry in json.load(f):
                path = os.path.normpath(os.path.join(entry["directory"], entry["file"]))
                if re.search(options.match, path):
                    self.entries.setdefault(path, entry)
        self.database, self.clang, self.tree = database, {}, {}
        if {"read", "partly", "clang", "plugin"} & set(options.columns):
            self.ask_autoprof()
        if "tree" in options.columns:
            root = os.path.abspath(options.root or os.path.commonpath(list(self.entries)))
            tree = os.path.abspath(options.tree)
            for path, entry in self.entries.items():
                if os.path.exists(path.replace(root, tree, 1)):
                    self.tree[path] = json.loads(json.dumps(entry).replace(root, tree))

    def ask_autoprof(self):
        done = subprocess.run([os.path.join(self.build, "bin", "autoprof"), "sources", "-p", self.database, "--format", "json",
                               "--jobs", str(self.options.jobs), "--time-limit", f"{self.options.seconds:g}"], stdout=subprocess.PIPE, text=True)
        for source in json.loads(done.stdout)["sources"]:
            self.clang[os.path.normpath(os.path.join(source["directory"], source["file"]))] = source

    def take(self, path, column, output):
        """Returns (accepted, messages) for one source in one column."""
        entry, source = self.entries[path], self.clang.get(path)
        if column in ("read", "partly"):
            states = ("read",) if column == "read" else ("read", "partly")
            return source is not None and source["state"] in states, source["error"] if source else "not in autoprof's list"
        if column in ("clang", "plugin"):
            if source is None or not source["command"]:
                return False, "no command"
            command = source["command"] + ["-O0"]
            if column == "plugin":
                command.append("-fplugin=" + os.path.join(self.build, "lib", "autoprof.so"))
            return self.compile(command, source["directory"], output)
        if column == "tree":
            entry = self.tree.get(path)
            if entry is None:
                return False, "not in the annotated tree"
        return self.compile(arguments(entry), entry["directory"], output)

    def compile(self, command, folder, output):
        status, messages = run(to_output(command, output), folder, self.options.seconds)
        return status == 0, messages

    def row(self, path):
        with tempfile.TemporaryDirectory() as scratch:
            return path, {c: self.take(path, c, os.path.join(scratch, "a.o")) for c in self.options.columns}


def first_error(messages):
    lines = (messages or "").splitlines()
    return next((l for l in lines if "error" in l), lines[0] if lines else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-p", required=True, metavar="FILE", help="compile_commands.json or its folder")
    parser.add_argument("--build", help="autoprof's build folder (default: build/release of this checkout)")
    parser.add_argument("--columns", default="read,clang,plugin", type=lambda s: s.split(","))
    parser.add_argument("--tree", help="the annotated tree, for the column `tree`")
    parser.add_argument("--root", help="the project of the tree (default: the folder that all sources share)")
    parser.add_argument("--match", default="", help="only sources whose path has this regular expression")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=300, help="limit for one compilation (default: 300)")
    parser.add_argument("--failures", action="store_true", help="also list what each plain column does not take")
    options = parser.parse_args()
    project = Project(options)
    counts, lost, other, failures = dict.fromkeys(options.columns, 0), [], [], []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done, (path, row) in enumerate(pool.map(project.row, sorted(project.entries)), 1):
            if sys.stderr.isatty():
                print(f"\r{done} of {len(project.entries)}", end="", file=sys.stderr)
            for column, (taken, messages) in row.items():
                counts[column] += taken
                if not taken and column in ("read", "partly", "clang", "nvcc"):
                    failures.append(f"{path}: {column}: {first_error(messages)}")
            for plain, probes in PAIRS:
                if plain in row and probes in row and row[plain][0]:
                    if not row[probes][0]:
                        lost.append(f"{path}: {probes}: {first_error(row[probes][1])}")
                    elif probes == "plugin" and row[plain][1] != row[probes][1]:
                        other.append(path)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print(f"{len(project.entries)} sources")
    for column in options.columns:
        print(f"  {column:<8}{counts[column]:>6}")
    print(f"{len(lost)} lost with probes" + "".join("\n  " + l for l in lost))
    if "plugin" in options.columns:
        print(f"{len(other)} with other messages" + "".join("\n  " + l for l in other))
    if options.failures:
        print("not taken:" + "".join("\n  " + l for l in failures))
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
