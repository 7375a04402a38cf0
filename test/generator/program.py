# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A generated program: a tree of choices that a seed determines.

Each place in the tree (Node) has a path ("3.1.2") and random numbers of its
own, made of the seed and the path. So what is dropped at one place (Program.drop
names the paths) changes nothing at another, which is what reduce.py needs.
Only random.random() is used, whose sequence Python promises to keep.
"""

import dataclasses
import random


class Node:
    def __init__(self, program, path):
        self.program = program
        self.path = path
        self.random = random.Random(f"autoprof/{program.seed}/{path}")
        self.children = 0
        program.paths.append(path)

    def child(self):
        self.children += 1
        return Node(self.program, f"{self.path}.{self.children}")

    @property
    def dropped(self):
        return self.path in self.program.drop

    def name(self, prefix):
        """An identifier that no other place has."""
        return f"{prefix}_{self.path.replace('.', '_')}"

    def chance(self, probability):
        return self.random.random() < probability

    def below(self, limit):
        return int(self.random.random() * limit)

    def pick(self, choices):
        return choices[self.below(len(choices))]


class Table:
    """Productions to pick from, by weight. Each says what it needs: so much
    depth, a standard of C++, and whatever `when` asks of the place."""

    def __init__(self):
        self.rows = []

    def add(self, weight=1.0, depth=1, std=11, when=None):
        def register(function):
            self.rows.append((weight, depth, std, when, function))
            return function

        return register

    def text(self, template, **needs):
        """A production that is text: {i}, {c}, ... are filled by the Maker."""
        self.add(**needs)(lambda g: g.fill(template))

    def choose(self, g):
        rows = [
            row
            for row in self.rows
            if g.depth >= row[1] and g.scope.std >= row[2] and (not row[3] or row[3](g.scope))
        ]
        rest = g.node.random.random() * sum(row[0] for row in rows)
        for row in rows:
            rest -= row[0]
            if rest < 0:
                break
        return row[4](g)


@dataclasses.dataclass(frozen=True)
class Scope:
    """What the text at a place may use."""

    std: int
    cuda: bool = True  # kernel launches
    nvcc: bool = False  # nothing that nvcc or gcc refuse
    ints: tuple = ("a", "b", "c")
    local: bool = True  # in a function: statement expressions, [&]
    loop: bool = False  # break and continue
    returns: str = "int"  # int, void, or "" where nothing may return
    throws: bool = True
    template: str = ""  # the name of a type parameter
    argument: bool = False  # of a macro: no directives


@dataclasses.dataclass
class Program:
    seed: int
    drop: frozenset = frozenset()
    paths: list = dataclasses.field(default_factory=list)
    files: dict = dataclasses.field(default_factory=dict)
    units: list = dataclasses.field(default_factory=list)  # files to compile
    std: str = "c++17"
    language: str = "cuda"  # cuda, c++, c
    nvcc: bool = False
    broken: bool = False  # is meant not to compile
    needs: set = dataclasses.field(default_factory=set)  # system headers

    def number(self):
        """The standard as a number that grows: 11 to 23."""
        return int(self.std[-2:])
