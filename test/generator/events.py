# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the probes of a program did: site tables, lists, and the recorder's file."""

import dataclasses
import re
import struct

RANGES = ("function", "loop")


@dataclasses.dataclass(frozen=True)
class Row:
    id: str
    kind: str
    line: int
    column: int
    file: str
    function: str
    callee: str


def unescape(text):
    return re.sub(r"%([0-9A-Fa-f]{2})", lambda m: chr(int(m[1], 16)), text)


def table(binary):
    """The rows of all notes of an ELF file."""
    data = binary.read_bytes()
    (start,) = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    sections = [
        struct.unpack_from("<IIQQQQIIQQ", data, start + number * size) for number in range(count)
    ]
    strings = data[sections[names][4] :][: sections[names][5]]
    rows = set()
    for section in sections:
        if strings[section[0] :].split(b"\0", 1)[0] != b".note.autoprof":
            continue
        notes = data[section[4] : section[4] + section[5]]
        while len(notes) >= 12:
            owner, length, _ = struct.unpack_from("<III", notes)
            text = notes[12 + (owner + 3) // 4 * 4 :][:length]
            for row in filter(None, text[4:].rstrip(b"\0").decode().split(";")):
                identifier, kind, line, column, *names_ = row.split("|")
                rows.add(Row(identifier, kind, int(line), int(column), *map(unescape, names_)))
            notes = notes[12 + (owner + 3) // 4 * 4 + (length + 3) // 4 * 4 :]
    return rows


PROBE = re.compile(r"(.*?):(\d+):(\d+): (\w+)(?: (.+?))? in (.*) \[(0x[0-9a-f]{16})\]$")
SKIPPED = re.compile(
    r"(.*?):(?:(\d+):(\d+):)? ?(?:(\w+)(?: (.+?))? in (.*): )?(not instrumented|not in the emitted text): (.*)$"
)


@dataclasses.dataclass(frozen=True)
class Skipped:
    file: str
    line: int
    kind: str
    callee: str
    reason: str
    only_in_text: bool = False  # The plugin has a probe there.


def split_list(text):
    """What list=on printed, as (rows, skipped, the other lines)."""
    rows, skipped, rest = set(), set(), []
    for line in text.splitlines(True):
        if m := PROBE.match(line.rstrip("\n")):
            rows.add(Row(m[7], m[4], int(m[2]), int(m[3]), m[1], m[6], m[5] or ""))
        elif m := SKIPPED.match(line.rstrip("\n")):
            only_in_text = m[7] == "not in the emitted text"
            skipped.add(
                Skipped(m[1], int(m[2] or 0), m[4] or "", m[5] or "", m[8], only_in_text)
            )
        else:
            rest.append(line)
    return rows, skipped, "".join(rest)


@dataclasses.dataclass
class Recorded:
    problems: list
    bare: list  # (callee, address) of calls that ran outside a probe of theirs
    calls: int = 0
    probes: int = 0


def read_events(text, rows):
    """Checks that probes nest on each thread, end, and are in the table."""
    kinds = {row.id: row for row in rows}
    result, stacks = Recorded([], []), {}
    for line in text.splitlines():
        thread, what, name, *value = line.split()
        stack = stacks.setdefault(thread, [])
        if what == "!":
            result.calls += 1
            if not any(
                opens == "+" and matches(kinds.get(identifier), name)
                for opens, identifier, _ in stack
            ):
                result.bare.append((name, value[0]))
        elif what in "+(":
            result.probes += 1
            stack.append((what, name, value[0]))
            row = kinds.get(name)
            if not row:
                result.problems.append(f"{name} began and is in no site table")
            elif (row.kind in RANGES) != (what == "("):
                result.problems.append(
                    f"{name} is a {row.kind} and began as the other kind of probe"
                )
        else:
            wanted = ("+" if what == "-" else "(", name, value[0])
            if not stack or stack[-1] != wanted:
                result.problems.append(
                    f"{name} ended while {stack[-1:] or 'nothing'} was the innermost"
                )
                if wanted not in stack:
                    continue
                stack.reverse()
                stack.remove(wanted)
                stack.reverse()
            else:
                stack.pop()
    for thread, stack in stacks.items():
        result.problems += [
            f"{identifier} has not ended on thread {thread}" for _, identifier, _ in stack
        ]
    return result


def matches(row, callee):
    return row and (row.kind == "launch" if callee == "<launch>" else row.callee == callee)
