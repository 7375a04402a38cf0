# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same_build.py -- COMPILER... -- PLUGIN... -- FILE

Compiles the file in each of the ways below, without and with the plugin, and
prints what was the same and what was not, one line a way.
"""
import re
import subprocess
import sys

HOST = "--cuda-host-only "
WAYS = [
    "-O2", "-fgpu-rdc", "--cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90a", "--offload-new-driver -O1",
    HOST + "-fsanitize=address,undefined", HOST + "-fsanitize=thread", HOST + "-fsanitize=memory",
    HOST + "-fprofile-instr-generate -fcoverage-mapping", HOST + "--coverage", HOST + "-flto -S -emit-llvm",
    HOST + "-flto=thin -S -emit-llvm", HOST + "-fno-exceptions -fno-rtti", HOST + "-Wall -Wextra -Wpedantic",
    HOST + "-Weverything", HOST + "-fopenmp", HOST + "-fmodules", HOST + "-O0 -g",
]


def parts(words):
    groups = [[]]
    for word in words:
        groups.append([]) if word == "--" else groups[-1].append(word)
    return groups[1:]


def lines(made, name):
    """The lines and columns of file `name` in an object's line table."""
    text = subprocess.run(["llvm-dwarfdump", "--debug-line", made], capture_output=True, text=True).stdout
    files = {number for number, path in re.findall(r'file_names\[ *(\d+)\]:\n +name: "(.*)"', text) if path == name}
    rows = re.findall(r"^0x[0-9a-f]+ +(\d+) +(\d+) +(\d+) ", text, re.M)
    return {row[:2] for row in rows if row[2] in files and row[0] != "0"}


compiler, plugin, (file,) = parts(sys.argv[1:])
for way in WAYS:
    runs = []
    for extra, made in (([], "plain.out"), (plugin, "instrumented.out")):
        run = subprocess.run(compiler + extra + way.split() + ["-cuid=1", "-o", made] +
                             ([] if "-S" in way.split() else ["-c"]) + [file], capture_output=True, text=True)
        runs.append((run.returncode, run.stderr, lines(made, file)))
    plain, instrumented = runs
    with open("instrumented.out", "rb") as made:
        probes = b"note.autoprof" in made.read()
    print(way + ":",
          "same messages," if plain[:2] == instrumented[:2] and plain[0] == 0 else f"DIFFERENT: {plain} {instrumented}",
          "probes," if probes else "NO PROBES,",
          # The end of a range, too, has a line: that of the closing brace.
          "lines kept" if plain[2] <= instrumented[2] and (plain[2] or "-g" not in way.split()) else
          f"LINES LOST {sorted(plain[2] - instrumented[2])}")
