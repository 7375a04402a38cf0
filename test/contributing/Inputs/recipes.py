# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executes the recipes of CONTRIBUTING.md, "How to add", on a copy of the tree.

Usage: recipes.py ROOT BUILD WORK, where ROOT is the source tree, BUILD its
build folder, and WORK a folder to write to.

Each recipe below changes the copy as a contributor would, with made-up names.
Checked are:

- the files that it touched: they are those that the table of CONTRIBUTING.md
  names, no more and no fewer;
- that it works: the sources that changed are compiled as the build compiles
  them, WORK/autoprof is linked from them and the objects of the build, and
  recipes.test runs it.

Recipes are anchored at lines that are found by regular expressions. If one is
gone, move the anchor; if a recipe needs another file, correct the table.
"""
import concurrent.futures
import fnmatch
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT, BUILD, WORK = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
TREE = WORK / "tree"
COPIED = ("tool", "docs", "scripts", "test/audit", "test/report", "test/unit")
SPDX = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"


# Sources that are compiled, but not linked.
CHECKED = []


def after(path, pattern, text):
    """Inserts lines after the first line that matches."""
    lines = (TREE / path).read_text().splitlines(keepends=True)
    found = [i for i, line in enumerate(lines) if re.search(pattern, line)]
    if not found:
        sys.exit(f"{path}: no line matches {pattern!r}: move the anchor of the recipe")
    lines.insert(found[0] + 1, text)
    (TREE / path).write_text("".join(lines))


def replace(path, pattern, text):
    """Replaces the first match."""
    changed, count = re.subn(pattern, text, (TREE / path).read_text(), count=1, flags=re.M)
    if not count:
        sys.exit(f"{path}: nothing matches {pattern!r}: move the anchor of the recipe")
    (TREE / path).write_text(changed)


def create(path, text):
    assert not (TREE / path).exists(), path
    (TREE / path).write_text(text)


def new_rule(*arguments):
    subprocess.run([sys.executable, TREE / "scripts/new-rule", *arguments], check=True, stdout=subprocess.DEVNULL)


def audit_rule():
    new_rule("sync-made-up", "A made-up call waits in a launching loop.")
    after("tool/audit/rules/Causes.cpp", r"const CallClass Kind = S\.kind\(\);",
          '    if (S.Model->Callee == "cudaMadeUp")\n      return report("sync-made-up", waits());\n')
    return ["tool/audit/rules/Causes.cpp"]


def finding():
    new_rule("--finding", "made-up", "Nothing is found.")
    return ["tool/analysis/findings/MadeUp.cpp", "tool/analysis/findings/Scene.cpp"]


def call():
    after("tool/catalogue/cuda_runtime.def", r"^WAITS\(cudaDeviceSynchronize,",
          'WAITS(cudaMadeUp, Sync, Device, "", ORDER, "documented: made up for a test")\n')
    after("test/unit/source/AskTest.cpp", r'{"cudaEventSynchronize", Facts\(\)',
          '    {"cudaMadeUp", Facts(), Yes, AllOfIt},\n')
    return ["tool/catalogue/Catalogue.cpp", "tool/catalogue/Check.cpp"]


def option():
    replace("tool/commands/Doctor.cpp", r"(Options\[\] = {PlainFormat)",
            r'\1,\n    {"made-up", 0, nullptr, "print a word, and stop"}')
    replace("tool/cli/DoctorCommand.cpp", r'^  (const std::vector<Check> Checks)',
            r'  if (A.has("made-up")) {\n    llvm::outs() << "an option\\n";\n    return Fine;\n  }\n  \1')
    return ["tool/commands/Doctor.cpp", "tool/cli/DoctorCommand.cpp"]


def subcommand():
    create("tool/commands/MadeUp.cpp", SPDX + """#include "commands/Shared.h"

using namespace autoprof;
using namespace autoprof::commands;

const Manual commands::MadeUp = {"made-up", "print a word",
                                 "autoprof made-up",
                                 "Prints a word.", {}, nullptr, nullptr};
""")
    create("tool/cli/MadeUpCommand.cpp", SPDX + """#include "cli/SubCommands.h"
#include "commands/Commands.h"

#include "llvm/Support/raw_ostream.h"

using namespace autoprof;
using namespace autoprof::support;

static int run(Arguments &) {
  llvm::outs() << "a subcommand\\n";
  return Fine;
}

const Command cli::MadeUpCommand = {commands::MadeUp, nullptr, run};
""")
    replace("tool/commands/Commands.h", r"\bDoctor;", "Doctor, MadeUp;")
    replace("tool/commands/All.cpp", r"&Doctor}", "&Doctor, &MadeUp}")
    after("tool/commands/CMakeLists.txt", r"^  Help\.cpp", "  MadeUp.cpp\n")
    replace("tool/cli/SubCommands.h", r"\bDoctorCommand;", "DoctorCommand, MadeUpCommand;")
    replace("tool/cli/Main.cpp", r"&DoctorCommand}", "&DoctorCommand, &MadeUpCommand}")
    after("tool/cli/CMakeLists.txt", r"^  Main\.cpp", "  MadeUpCommand.cpp\n")
    return ["tool/commands/MadeUp.cpp", "tool/commands/All.cpp", "tool/cli/MadeUpCommand.cpp", "tool/cli/Main.cpp"]


def table():
    replace("tool/report/recording/TimeSection.cpp", r"^  return S\.add\(std::move\(Idle\)\)", """  Table MadeUp({{"a made-up table", true}, {"steps"}});
  MadeUp.addRow({"all", std::to_string(Subject.R.Steps.List.size())});
  S.add(std::move(MadeUp));
  return S.add(std::move(Idle))""")
    after("test/report/recordings.test", r"^# For people:",
          "RUN: %autoprof report %{recordings}/mlp_d128_print.pftrace.gz | grep -F 'a made-up table'\n")
    return ["tool/report/recording/TimeSection.cpp"]


def rendering():
    create("tool/report/document/formats/MadeUp.cpp", SPDX + """#include "report/document/Renderings.h"

using namespace autoprof;

void report::renderMadeUp(llvm::raw_ostream &Out, const Document &D,
                          const TextStyle &) {
  for (const Section &S : D.Sections)
    if (!S.Blocks.empty())
      Out << "made up: " << S.Heading << '\\n';
}
""")
    after("test/report/recordings.test", r"^# For people:",
          "RUN: %autoprof report --format=madeup %{recordings}/mlp_d128_print.pftrace.gz | grep '^made up: '\n")
    subprocess.run(["cmake", f"-DOUT={WORK / 'generated/report'}", "-P",
                    TREE / "tool/report/document/formats/List.cmake"], check=True)
    return ["tool/report/document/formats/MadeUp.cpp", "tool/commands/Report.cpp", "tool/cli/ReportCommand.cpp"]


def what_if():
    replace("tool/analysis/replay/Edits.def", r"^/// Its copies of Change::Dir are of",
            '/// It returns when half of its wait is over.\nAUTOPROF_EDIT(MadeUp, "made_up")\n\\g<0>')
    replace("tool/analysis/replay/Player.cpp", r"^  if \(Kind == Edit::Remove\)$", """  if (Kind == Edit::MadeUp)
    return Begin + Active + W.Waited / 2;
  if (Kind == Edit::Remove)""")
    replace("tool/analysis/Replays.cpp", r"^      Ask\(Edit::Postpone\);\n",
            r"\g<0>      Ask(Edit::MadeUp);\n")
    # Every source that names an edit changes with its number: compiled only.
    CHECKED.extend(["tool/analysis/replay/WhatIf.cpp", "tool/analysis/replay/Player.cpp",
                    "tool/analysis/Replays.cpp", "tool/report/recording/WhatIfsJson.cpp"])


# The first column of the table in CONTRIBUTING.md, and what a recipe does.
RECIPES = {
    "a rule of the audit": audit_rule,
    "a finding about recordings": finding,
    "a call that waits": call,
    "an option": option,
    "a subcommand": subcommand,
    "a table of a report": table,
    "a text format": rendering,
    "a what-if": what_if,
}


def documented():
    """{recipe: [patterns of files]} from the table."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    rows = re.findall(r"^\| \*\*(.+?)\*\*.*? \| (\d+): (.*?) \| ", text, re.M)
    result = {}
    for name, count, files in rows:
        result[name] = re.findall(r"`([^`]+)`", files)
        assert len(result[name]) == int(count), (name, count, result[name])
    return result


def files():
    return {path.relative_to(TREE).as_posix(): path.stat().st_mtime_ns for path in TREE.rglob("*") if path.is_file()}


def snapshot():
    return {path: (TREE / path).read_bytes() for path in files()}


def compare(name, patterns, touched):
    """Each file is named, and each pattern names one file; NAME in one fits what no other names."""
    missing, left = [], sorted(patterns, key=lambda pattern: "NAME" in pattern)
    for path in sorted(touched, key=lambda path: path not in patterns):
        fitting = [pattern for pattern in left if fnmatch.fnmatchcase(path, pattern.replace("NAME", "*"))]
        if fitting:
            left.remove(fitting[0])
        else:
            missing.append(path)
    if missing or left:
        sys.exit(f"CONTRIBUTING.md, {name}: it does not name {missing}; it names {left}, which are not touched")
    print(f"{name}: {len(touched)} files")


def compile_command(source, commands):
    """As the build compiles `source` or, if it is new, a file of its folder."""
    original = str(ROOT / source)
    near = [file for file in commands if file.startswith(os.path.dirname(original) + "/")]
    command = commands.get(original) or commands[sorted(near)[0]]
    arguments, skip = [], False
    for argument in command:
        if skip or argument in ("-c", "-o"):
            skip = argument == "-o"
        elif not argument.endswith((".cpp", ".o")):
            arguments.append(argument.replace(str(ROOT / "tool"), str(TREE / "tool")))
    arguments.insert(1, f"-I{WORK / 'generated'}")
    made = WORK / (source.replace("/", "-") + ".o")
    if source in CHECKED:
        return arguments + ["-Werror=switch", "-fsyntax-only", str(TREE / source)], None
    return arguments + ["-c", str(TREE / source), "-o", str(made)], made


def build(sources):
    commands = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        commands[entry["file"]] = shlex.split(entry["command"])
    jobs = [compile_command(source, commands) for source in sources + CHECKED]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for result in pool.map(lambda job: subprocess.run(job[0], cwd=BUILD, capture_output=True, text=True), jobs):
            if result.returncode:
                sys.exit(result.stderr)
    link = subprocess.run(["ninja", "-C", str(BUILD), "-t", "commands", "-s", "bin/autoprof"], check=True,
                          capture_output=True, text=True).stdout.strip().splitlines()[-1]
    # What the build does around linking is separated by &&.
    link = next(shlex.split(part) for part in link.split(" && ") if " -o bin/autoprof" in part)
    at = link.index("-o")
    made = [str(job[1]) for job in jobs if job[1]]
    # The first definition wins, so that these replace those of the build.
    line = link[:1] + ["-Wl,--allow-multiple-definition"] + made + link[1:at] + ["-o", str(WORK / "autoprof")] + link[at + 2:]
    subprocess.run(line, cwd=BUILD, check=True)


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    for folder in COPIED:
        shutil.copytree(ROOT / folder, TREE / folder)
    table, sources = documented(), []
    for name, apply in RECIPES.items():
        if name not in table:
            sys.exit(f"CONTRIBUTING.md has no row for {name}")
        before = snapshot()
        sources += apply() or []
        compare(name, table[name], [path for path, text in snapshot().items() if before.get(path) != text])
    untested = set(table) - set(RECIPES)
    if untested:
        sys.exit(f"no recipe for {untested}")
    build(list(dict.fromkeys(sources)))


main()
