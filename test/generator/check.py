# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What must hold for a generated program with and without probes."""

import dataclasses
import difflib
import random
import shlex
import shutil

import events
from toolchain import COMPILE_SECONDS, RUN_SECONDS, crashed, run

# -Wpadded is issued when code generation asks for a layout, which with the plugin
# it does later: the same warning in another place.
WARNINGS = [
    [],
    ["-Wall", "-Wextra"],
    ["-Weverything", "-Wno-padded"],
    ["-Wall", "-Wextra"],
    ["-Weverything", "-Wno-padded", "-Wno-unsafe-buffer-usage"],
    ["-Wall", "-Wextra", "-Werror"],
]
WAYS = [
    [],
    [],
    [],
    ["-g"],
    ["-fprofile-instr-generate", "-fcoverage-mapping"],
    ["-fsanitize=undefined"],
]


@dataclasses.dataclass(frozen=True)
class Failure:
    kind: str  # what reduction keeps
    text: str


class Check:
    """One program in one folder. check() fills failures and the numbers."""

    def __init__(self, tools, program, folder):
        self.tools, self.program, self.folder = tools, program, folder
        self.failures, self.commands, self.numbers = (
            [],
            [],
            dict.fromkeys(
                ("calls", "covered", "left_alone", "probes", "sites", "ran", "skipped"), 0
            ),
        )
        choices = random.Random(f"autoprof/flags/{program.seed}")
        self.optimized = choices.random() < 0.5
        # Line tables tell which call had no probe.
        self.flags = ["-O2"] if self.optimized else ["-O0", "-gline-tables-only"]
        self.flags += WARNINGS[int(choices.random() * len(WARNINGS))]
        self.way = WAYS[int(choices.random() * len(WAYS))]
        self.verifies = choices.random() < 0.25

    def fail(self, kind, text):
        self.failures.append(Failure(kind, text.strip()[:6000]))

    def fail_plain(self, messages):
        """The program is wrong: its errors, which warnings would hide."""
        errors = [line for line in messages.splitlines() if "error" in line]
        self.fail("generator", "\n".join(errors[:20] + ["", messages]))

    def same(self, kind, wanted, actual):
        if wanted != actual:
            self.fail(
                kind,
                "".join(
                    list(
                        difflib.unified_diff(
                            wanted.splitlines(True),
                            actual.splitlines(True),
                            "without probes",
                            "with probes",
                        )
                    )[:60]
                ),
            )
        return wanted == actual

    def start(self, command, seconds=COMPILE_SECONDS, **environment):
        self.commands.append(shlex.join(map(str, command)))
        return run(command, self.folder, seconds, **environment)

    def write(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        for name, text in self.program.files.items():
            (self.folder / name).write_text(text)

    def compile(self, suffix, *flags, folder="."):
        """Objects of all units; the first one that fails ends it."""
        code, error = 0, ""
        for unit in self.program.units:
            done = self.start(
                self.tools.compiler(self.program)
                + self.flags
                + self.way
                + list(flags)
                + ["-c", f"{folder}/{unit}", "-o", f"{unit}.{suffix}.o"]
            )
            code, error = done.code, error + done.error
            if code:
                break
        return code, error

    def program_of(self, suffix, recorder):
        """Links and runs; None if it does not link."""
        objects = [f"{unit}.{suffix}.o" for unit in self.program.units]
        done = self.tools.link(objects, f"{suffix}.exe", self.folder, self.way, recorder)
        if done.code:
            self.fail(f"does not link ({suffix})", done.error)
            return None
        return self.start(
            [f"./{suffix}.exe"],
            RUN_SECONDS,
            AUTOPROF_TEST_EVENTS=str(self.folder / f"{suffix}.events"),
        )

    def check(self):
        self.write()
        plain = self.compile("plain")
        if crashed(*plain):
            self.numbers["skipped"] = 1
            return self
        plugin = self.compile("plugin", *self.tools.with_plugin())
        self.same("messages of the compiler", plain[1], plugin[1])
        if plain[0] != plugin[0]:
            self.fail(
                "exit code of the compiler",
                f"{plain[0]} without probes, {plugin[0]} with\n{plugin[1]}",
            )
        refused = "-Werror" in self.flags or self.program.broken
        if plain[0] and not refused:
            self.fail_plain(plain[1])
        if plain[0] or plugin[0]:
            return self
        reference = self.program_of("plain", False)
        if not reference or reference.code in (97, 98, 99, 124) or reference.code < 0:
            self.fail(
                "generator",
                f"the plain program ends with {reference and reference.code}\n{reference and reference.error}",
            )
            return self
        self.numbers["ran"] = 1
        rows, skipped = self.check_list(plugin[1])
        self.check_run("plugin", reference, skipped)
        table = (
            events.table(self.folder / "plugin.exe")
            if (self.folder / "plugin.exe").exists()
            else set()
        )
        self.numbers["sites"] = len(table)
        if table != rows:
            self.fail(
                "list and site table differ",
                f"list only: {rows - table}\ntable only: {table - rows}",
            )
        self.check_text(reference, skipped, rows)
        if self.verifies:
            self.check_verifier()
        return self

    def check_list(self, messages):
        """list=on and emit= change nothing in the object."""
        rows, skipped = set(), set()
        for unit in self.program.units:
            done = self.start(
                self.tools.compiler(self.program)
                + self.flags
                + self.way
                + self.tools.with_plugin("list=on", f"emit={self.folder}/emit-{unit}")
                + ["-c", f"./{unit}", "-o", f"{unit}.list.o"]
            )
            if done.code:
                self.fail("exit code of the compiler with list=on", done.error)
                continue
            more = events.split_list(done.error)
            rows |= more[0]
            skipped |= more[1]
            if more[2] not in messages:
                self.same("messages with list=on", messages, more[2])
            objects = [
                (self.folder / f"{unit}.{name}.o").read_bytes() for name in ("plugin", "list")
            ]
            if objects[0] != objects[1]:
                self.fail(
                    "object differs with list=on",
                    f"{unit}: {len(objects[0])} and {len(objects[1])} bytes",
                )
        return rows, skipped

    def check_run(self, suffix, reference, skipped):
        done = self.program_of(suffix, True)
        if not done:
            return
        self.same(f"output of the program ({suffix})", reference.out, done.out)
        self.same(f"standard error of the program ({suffix})", reference.error, done.error)
        if done.code != reference.code:
            self.fail(
                f"exit code of the program ({suffix})",
                f"{reference.code} without probes, {done.code} with",
            )
        file = self.folder / f"{suffix}.events"
        recorded = events.read_events(
            file.read_text() if file.exists() else "", events.table(self.folder / f"{suffix}.exe")
        )
        if recorded.problems:
            self.fail(f"nesting of probes ({suffix})", "\n".join(recorded.problems[:20]))
        missed = self.not_excused(recorded.bare, skipped, suffix)
        if missed:
            self.fail(f"call without a probe ({suffix})", "\n".join(sorted(missed)))
        if suffix == "plugin":
            covered = recorded.calls - len(recorded.bare)
            self.numbers.update(
                calls=recorded.calls,
                probes=recorded.probes,
                covered=covered,
                left_alone=len(recorded.bare) - len(missed),
            )

    def not_excused(self, bare, skipped, suffix):
        """Calls outside probes whose place list=on does not name as left alone.
        Places are compared where there are line tables, else callees."""
        missed = []
        if not bare:
            return missed
        if suffix == "plugin":
            skipped = [s for s in skipped if not s.only_in_text]
        places = [""] * len(bare)
        if not self.optimized:
            done = run(
                [
                    self.tools.llvm / "llvm-symbolizer",
                    "--output-style=GNU",
                    "--no-inlines",
                    "--functions=none",
                    f"--obj={suffix}.exe",
                    *(hex(int(address, 16) - 1) for _, address in bare),
                ],
                self.folder,
            )
            places = done.out.splitlines()
        for (callee, _), place in zip(bare, places):
            file, _, line = place.split(" ")[0].rpartition(":")
            if not any(self.is_place_of(s, callee, file, line) for s in skipped):
                missed.append(f"{callee} {place}")
        return missed

    @staticmethod
    def is_place_of(skipped, callee, file, line):
        if not (skipped.callee == callee or (callee == "<launch>" and skipped.kind == "launch")):
            return False
        elsewhere = (
            callee == "<launch>"
            or "address is taken" in skipped.reason
            or "default argument" in skipped.reason
        )
        if elsewhere or not line.isdigit() or "Inputs/system" in file:
            return True
        return file.endswith(skipped.file) and abs(int(line) - skipped.line) <= 3

    def check_text(self, reference, skipped, rows):
        """The text rendering must be a program that does the same."""
        codes = []
        for unit in self.program.units:
            emitted = self.folder / f"emit-{unit}"
            for name in self.program.files:
                if not (emitted / name).exists():
                    emitted.mkdir(exist_ok=True)
                    shutil.copy(self.folder / name, emitted / name)
            done = self.start(
                self.tools.compiler(self.program)
                + [flag for flag in self.flags if not flag.startswith("-W")]
                + self.way
                + [
                    "-w",
                    "-include",
                    self.tools.probe,
                    "-c",
                    f"emit-{unit}/{unit}",
                    "-o",
                    f"{unit}.text.o",
                ]
            )
            codes.append(done.code)
            if done.code:
                self.fail("text rendering does not compile", done.error)
        if any(codes):
            return
        self.check_run("text", reference, skipped)
        table = (
            events.table(self.folder / "text.exe") if (self.folder / "text.exe").exists() else set()
        )
        if table - rows:
            self.fail("text rendering has other sites", f"{table - rows}")

    def check_verifier(self):
        for unit in self.program.units:
            done = self.start(
                self.tools.compiler(self.program)
                + self.flags
                + self.way
                + self.tools.with_plugin()
                + [
                    "-w",
                    "-emit-llvm",
                    "-Xclang",
                    "-disable-llvm-verifier",
                    "-c",
                    unit,
                    "-o",
                    f"{unit}.bc",
                ]
            )
            done = (
                done
                if done.code
                else self.start(
                    [self.tools.llvm / "opt", "-passes=verify", f"{unit}.bc", "-o", "/dev/null"]
                )
            )
            if done.code:
                self.fail("IR verifier", done.error)
