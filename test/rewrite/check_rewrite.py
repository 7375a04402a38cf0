# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a source with the plugin, compares its list of sites and the text that
it emits with Expected/, and compiles that text with clang (host and device) and,
if given, with nvcc.

--std STD (repeated) compiles for each of these standards; --strict makes
warnings errors. --no-nvcc is for what nvcc cannot take. --run also links and runs:
the program must print the same with and without probes, and its probes must nest
and begin and end in the order of Expected/SOURCE.events, however it was compiled.
There a line begins with + or -, is indented by what is open, and names a place as
SOURCE.list does. Where the plugin's probes, which are not text, differ, theirs are
in SOURCE.plugin.events.
--update writes Expected/ instead of comparing; look at the difference then.
Arguments behind -- go to the compilers, those that begin with
-fplugin-arg-autoprof to the plugin only.
"""
import argparse
import difflib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

WARNINGS = ["-Wall", "-Wextra", "-Werror"]


def run(command, cwd):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{shlex.join(map(str, command))}\nfailed:\n{done.stdout}{done.stderr}")
    return done


def compare(expected, actual, update):
    if update:
        expected.parent.mkdir(parents=True, exist_ok=True)
        expected.write_text(actual)
        return True
    wanted = expected.read_text() if expected.exists() else ""
    sys.stdout.writelines(difflib.unified_diff(
        wanted.splitlines(True), actual.splitlines(True), str(expected), "actual"))
    return wanted == actual


def events(text, listed):
    """The events of a run with places in the place of ids."""
    names = {m[2]: m[1] for m in re.finditer(r"^(.*) \[(0x\w+)\]$", listed, re.M)}
    depth, lines = 0, []
    for line in text.splitlines():
        depth -= line[0] == "-"
        lines.append("  " * depth + line[0] + " " + names.get(line[1:], line[1:]) + "\n")
        depth += line[0] == "+"
    return "".join(lines)


class Check:
    def __init__(self, args):
        self.args = args
        self.source = pathlib.Path(args.source)
        self.folder = self.source.parent
        self.expected = self.folder / "Expected"
        self.work = pathlib.Path(args.work)
        self.emitted = self.work / "emitted"
        self.cuda = self.source.suffix == ".cu"
        self.is_c = self.source.suffix == ".c"
        self.hip = self.source.suffix == ".hip"
        self.flags = [f for f in args.flags if not f.startswith("-fplugin-arg")]
        self.plugin_flags = [f for f in args.flags if f not in self.flags]
        arch = ["--cuda-gpu-arch=sm_90"] if self.cuda else ["-Qunused-arguments"]
        language = ["-x", "c"] if self.is_c else []
        self.clang = shlex.split(args.clang) + args.clang_flag + self.flags + arch + language
        self.stds = ["-std=" + std for std in args.std] or [None]
        self.link = shlex.split(args.link)

    def instrument(self):
        """Compiles with the plugin; returns the list of sites and whether all
        is as expected."""
        args = self.args
        # HIP's device side needs a linker that not every clang comes with.
        side = ["--offload-host-only"] if self.hip else []
        done = run(self.clang + side + self.stds[-1:][:self.stds[-1] is not None] + [
            "-c", "-o", self.work / "instrumented.o", f"-fplugin={args.plugin}",
            f"-fplugin-arg-autoprof-root={self.folder}",
            f"-fplugin-arg-autoprof-emit={self.emitted}",
            "-fplugin-arg-autoprof-list=on"] + self.plugin_flags + [self.source], self.work)
        same = compare(self.expected / (self.source.name + ".list"), done.stderr, args.update)
        for text in sorted(p for p in self.emitted.rglob("*") if p.is_file()):
            golden = self.expected / text.relative_to(self.emitted)
            same &= compare(golden, text.read_text(), args.update)
        return done.stderr, same

    def commands(self):
        """Compilers for the rewritten text, without input and output: clang for
        each standard, nvcc for the first and the last."""
        std = lambda s: [s] if s else []
        strict = WARNINGS if self.args.strict else []
        probe = ["-include", self.args.probe]
        commands = [self.clang + std(s) + strict + probe for s in self.stds]
        if self.args.nvcc and not self.args.no_nvcc and (self.cuda or self.is_c):
            nvcc = [self.args.nvcc, *self.args.nvcc_flag, *self.flags]
            nvcc += ["-arch=sm_90"] if self.cuda else []
            if strict:
                nvcc += ["-Xcompiler", ",".join(strict)]
            for s in dict.fromkeys([self.stds[0], self.stds[-1]]):
                # nvcc takes standards of C++ only; gcc compiles C.
                name = ["-Xcompiler", s] if s and self.is_c else std(s)
                commands.append(nvcc + name + probe)
        return commands

    def complete(self):
        """The rewritten tree must stand on its own."""
        for original in self.folder.glob("Inputs/*"):
            copy = self.emitted / original.relative_to(self.folder)
            if not copy.exists():
                copy.parent.mkdir(exist_ok=True)
                shutil.copy(original, copy)

    def start(self, program):
        events_file = self.work / "events"
        environment = dict(os.environ, CUDA_VISIBLE_DEVICES="", AUTOPROF_TEST_EVENTS=str(events_file))
        done = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=60)
        seen = events_file.read_text() if events_file.exists() else ""
        return (done.returncode, done.stdout, done.stderr), seen

    def check_runs(self, listed):
        include = ["-I", pathlib.Path(self.args.probe).parent.parent]
        hooks = self.work / "hooks.o"
        run(self.clang[:1] + ["-O1", "-c", "-o", hooks] + include
            + [self.folder / "Hooks" / "hooks.cpp"], self.work)
        clang = self.clang[:1] + ["-o"]
        plain = self.work / "plain"
        run(self.clang + self.stds[-1:][:self.stds[-1] is not None]
            + ["-c", "-o", self.work / "plain.o", self.source], self.work)
        run(clang + [plain, self.work / "plain.o"] + self.link, self.work)
        wanted, none = self.start(plain)
        same = none == ""
        same &= self.check_plugin(clang, hooks, wanted, listed)
        for number, command in enumerate(self.commands()):
            objects = self.work / f"{number}.o"
            program = self.work / f"program{number}"
            run(command + ["-c", "-o", objects, self.emitted / self.source.name], self.work)
            run(clang + [program, objects, hooks] + self.link, self.work)
            got, seen = self.start(program)
            if got != wanted:
                sys.exit(f"{shlex.join(map(str, command))}: without probes {wanted}, with them {got}")
            same &= compare(self.expected / (self.source.name + ".events"),
                            events(seen, listed), self.args.update)
        return same

    def check_plugin(self, clang, hooks, wanted, listed):
        """The program that the plugin compiled."""
        program = self.work / "by-plugin"
        run(clang + [program, self.work / "instrumented.o", hooks] + self.link, self.work)
        got, seen = self.start(program)
        if got != wanted:
            sys.exit(f"without probes {wanted}, with the plugin {got}")
        of_text = self.expected / (self.source.name + ".events")
        own = self.expected / (self.source.name + ".plugin.events")
        actual = events(seen, listed)
        if self.args.update:
            same_as_text = of_text.exists() and of_text.read_text() == actual
            own.unlink(missing_ok=True) if same_as_text else own.write_text(actual)
            return True
        return compare(own if own.exists() else of_text, actual, False)

    def check_compiles(self):
        for number, command in enumerate(self.commands()):
            is_clang = command[0] == self.clang[0]
            output = ["-fsyntax-only"] if is_clang else ["-c", "-o", self.work / f"{number}.o"]
            run(command + output + [self.emitted / self.source.name], self.work)
        return True


def main():
    parser = argparse.ArgumentParser()
    for name in ("source", "work", "plugin", "probe", "clang", "link"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--nvcc")
    parser.add_argument("--clang-flag", action="append", default=[])
    parser.add_argument("--nvcc-flag", action="append", default=[])
    parser.add_argument("--std", action="append", default=[])
    for name in ("strict", "run", "update", "no-nvcc"):
        parser.add_argument("--" + name, action="store_true")
    parser.add_argument("flags", nargs="*")
    check = Check(parser.parse_args())
    shutil.rmtree(check.work, ignore_errors=True)
    check.emitted.mkdir(parents=True)
    listed, same = check.instrument()
    check.complete()
    if (check.emitted / check.source.name).exists():
        same &= check.check_runs(listed) if check.args.run else check.check_compiles()
    sys.exit(0 if same else 1)


main()
