#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tidy.py BUILD SOURCE...: runs clang-tidy on sources, with the commands of
BUILD/compile_commands.json, and prints what it finds. Exit code 1: something.

It takes most of its time to read the headers of clang, so the sources that
include these are checked together, up to a dozen of a library as one unit. Where
that is an error, such as two functions of a name, it checks them one by one."""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

TOGETHER = 12


def tidy(file, before, after=()):
    """What clang-tidy prints about a file, and whether it found nothing."""
    done = subprocess.run(["clang-tidy-22", "-quiet", "--warnings-as-errors=*", *before, file, *after],
                          capture_output=True, text=True)
    return done.stdout, done.returncode == 0


def flags(command):
    """The options of a compilation, without precompiled headers and files."""
    words = shlex.split(command)
    words = words[next(i for i, word in enumerate(words) if "clang" in os.path.basename(word)) + 1:]
    text = "\n".join(words[:words.index("-o")]) + "\n"
    return re.sub(r"-Xclang\n-include(-pch)?\n-Xclang\n.*\n|-Winvalid-pch\n", "", text).splitlines()


def unused_names(source):
    text = pathlib.Path(source).read_text()
    return "".join(f"{source}: error: using declaration of '{name}' is unused\n"
                   for name in re.findall(r"^using [\w:]*::(\w+);", text, re.M)
                   if len(re.findall(rf"\b{name}\b", text)) == 1)


def together(build, name, sources, command):
    unit = pathlib.Path(build, "tidy", name + ".cpp")
    unit.parent.mkdir(exist_ok=True)
    unit.write_text("".join(f'#include "{source}"\n' for source in sources))
    # The unit includes sources. In these misc-unused-using-decls finds nothing.
    found, good = tidy(str(unit), ["--checks=-bugprone-suspicious-include"], ["--"] + flags(command))
    if "[clang-diagnostic-error" not in found:
        unused = "".join(map(unused_names, sources))
        return found + unused, good and not unused
    each = [tidy(source, ["-p", build]) for source in sources]
    return "".join(text for text, _ in each), all(good for _, good in each)


def main(build, *sources):
    database = json.loads(pathlib.Path(build, "compile_commands.json").read_text())
    # The first of a file; the other may be for a sanitizer.
    commands = {entry["file"]: entry["command"] for entry in reversed(database)}
    libraries = {}
    for source in map(os.path.realpath, sources):
        if source not in commands:
            sys.exit(f"tidy.py: {build}/compile_commands.json has no command for {source}; build first")
        name = re.search(r"CMakeFiles/(\w+)\.dir", commands[source])[1]
        libraries.setdefault(name, []).append(source)
    tasks = []
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for name, files in libraries.items():
            if not any('#include "clang/' in pathlib.Path(file).read_text() for file in files):
                tasks += [pool.submit(tidy, file, ["-p", build]) for file in files]
                continue
            for i in range(0, len(files), TOGETHER):
                part = files[i:i + TOGETHER]
                tasks.append(pool.submit(together, build, f"{name}-{i}", part, commands[part[0]]))
    print("".join(task.result()[0] for task in tasks), end="")
    sys.exit(not all(task.result()[1] for task in tasks))


if __name__ == "__main__":
    main(*sys.argv[1:])
