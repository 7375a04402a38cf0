# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts a program together from a seed: standard, language, files, features."""

import pathlib
import re

import c_language
import support
from expressions import Maker
from features import BROKEN, FEATURE
from program import Node, Program, Scope

INPUTS = pathlib.Path(__file__).parent / "Inputs"
STANDARDS = ["c++11", "c++14", "c++17", "c++17", "c++20", "c++20", "c++23"]
NVCC_STANDARDS = ["c++17", "c++20"]


def generate(seed, drop=frozenset(), nvcc=False):
    program = Program(seed, frozenset(drop), nvcc=nvcc)
    root = Node(program, "p")
    program.language = "cuda" if nvcc else root.pick(["cuda"] * 7 + ["c++"] * 2 + ["c"])
    program.std = root.pick(NVCC_STANDARDS if nvcc else STANDARDS)
    program.broken = not nvcc and root.chance(0.06)
    if program.language == "c":
        c_language.fill(program, root)
    else:
        fill(program, root)
    return program


def features_of(program, root):
    """Each as (text, name of its function)."""
    scope = Scope(program.number(), cuda=program.language == "cuda", nvcc=program.nvcc)
    makers = [Maker(root.child(), scope, 3 + root.below(2)) for _ in range(4 + root.below(5))]
    for index, g in enumerate(makers):
        table = BROKEN if program.broken and index == 1 else FEATURE
        if not g.node.dropped:
            yield table.choose(g), g.node.name("f"), g


def fill(program, root):
    suffix = ".cu" if program.language == "cuda" else ".cpp"
    main, part = "main" + suffix, "part" + suffix
    headers = [f"h{number}.h" for number in range(root.below(4))]
    places = {name: [] for name in [main, part] + headers}
    layout = root.child()
    twice = layout.chance(0.5)
    entries = []
    for text, name, g in features_of(program, root):
        where = g.node.pick([main, main, part] + headers) if g.node.chance(0.7) else main
        entries.append(name)
        if (
            g.node.chance(0.1)
            and f"int {name}(int a, int *d) {{" in text
            and g.node.name("g") not in text
        ):
            text = x_macro_file(program, name, text)
        if where in headers:
            text = (
                f"namespace {{\n{text}\n}}"
                if 'extern "C"' not in text and "thread_local" not in text
                else text
            )
            text = re.sub(r"^static int (f_\w+)\(", r"static inline int \1(", text)
            text = text.replace("namespace {\ninline ", "namespace {\nstatic inline ")
        if where == part:
            text = f"{text}\nint {name}_(int a, int *d) {{ return {name}(a, d); }}"
        places[where].append(text)
    write(program, layout, main, part, headers, places, entries, twice)


def x_macro_file(program, name, text):
    """The function twice, from a file that is included twice."""
    file = name + ".def"
    program.files[file] = text.replace(name, "NAME")
    return (
        f'#define NAME {name}\n#include "{file}"\n#undef NAME\n'
        f'#define NAME {name}_twice\nnamespace again_{name} {{\n#include "{file}"\n}}\n#undef NAME'
    )


def write(program, layout, main, part, headers, places, entries, twice):
    files = program.files
    for index, header in enumerate(headers):
        other = headers[(index + 1) % len(headers)]
        circle = f'#include "{other}"\n' if layout.chance(0.5) else ""
        before = layout.chance(0.5)
        once = "#pragma once\n" if layout.chance(0.5) else f"#ifndef H{index}\n#define H{index}\n"
        text = (
            once
            + (circle if before else "")
            + '#include "base.h"\n'
            + "\n".join(places[header])
            + "\n"
        )
        files[header] = (
            text + ("" if before else circle) + ("#endif\n" if "#ifndef" in once else "")
        )
    kernels = support.KERNELS if program.language == "cuda" else ""
    files["base.h"] = (
        "#ifndef BASE_H\n#define BASE_H\n"
        + '#include "user.h"\n#include "macros.h"\n'
        + support.COMMON
        + kernels
        + "#endif\n"
    )
    files["macros.h"] = support.MACROS.lstrip()
    files["user.h"] = (INPUTS / "user.h").read_text()
    includes = "".join(f'#include "{header}"\n' for header in headers)
    head = '#include "base.h"\n' + includes + (includes if twice else "")
    in_part = [re.findall(r"int (f_\w+?)_\(int a", text)[-1] for text in places[part]]
    declared = "".join(f"int {name}_(int a, int *d);\n" for name in in_part)
    calls = "".join(
        f"  CALL({name + '_' if name in in_part else name}({index + 1}, device()));\n"
        for index, name in enumerate(entries)
    )
    files[main] = (
        head
        + declared
        + "\n".join(places[main])
        + "\n"
        + "#define CALL(...) \\\n  try { result ^= __VA_ARGS__; } catch (int x) { result ^= trace(x); } \\\n"
        "  catch (const Noisy &n) { result ^= n.get(); } catch (...) { trace(25001); }\n"
        f"int main() {{\n  int result = 0;\n{calls}  return trace_exit(result);\n}}\n"
    )
    program.units = [main]
    if in_part:
        files[part] = '#include "base.h"\n' + "\n".join(places[part]) + "\n"
        program.units.append(part)
    for name, needed in (("thrust::", "thrust/device_vector.h"), ("std::coroutine", "coroutine")):
        for unit in [file for file in files if any(name in text for text in files.values())]:
            if unit == "base.h":
                files[unit] = files[unit].replace(
                    '#include "user.h"', f'#include <{needed}>\n#include "user.h"'
                )
