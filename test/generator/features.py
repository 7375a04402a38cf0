# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The declarations of generated C++ programs: each feature is text at file
scope with a function `int NAME(int a, int *d)`, which main calls. They are in
Inputs/features.txt."""

import pathlib
import re

from program import Table
from statements import PROLOGUE

FEATURE, BROKEN = Table(), Table()

HEAD = "int @f@(int a, int *d) {"
STATIC = """namespace @n@ {
static int a = 1, b = 2, c = 3;
static int *d = device();
%s
}
int @f@(int x, int *) {
(void)@n@::a; (void)@n@::b; (void)@n@::c; (void)@n@::d;
return (x ^ %s) & 1023;
}"""


def read(text):
    """The features of the file as (words of the first line, template)."""
    for part in re.split("^//---", text, flags=re.M)[1:]:
        words, _, template = part.partition("\n")
        yield words.split(), template.rstrip("\n")


def add(words, template):
    numbers = dict(word.split("=") for word in words if "=" in word)
    changes = {"throws": not {"nothrow", "static"} & set(words)}
    if "template" in words:
        changes["template"] = "T"
    if "static" in words:
        declarations, use = template.split("\n//-> ")
        template = STATIC % (declarations, use)
        changes.update(local=False, returns="")
    elif re.search(r"\{[icnSIC]\}", template):
        template = template.replace(HEAD, HEAD + "\n{prologue}")
    template = template.replace("{prologue}", PROLOGUE)
    (BROKEN if "broken" in words else FEATURE).add(
        float(numbers.get("weight", 1)),
        0,
        int(numbers.get("std", 11)),
        lambda scope: (scope.cuda or "cuda" not in words)
        and not (scope.nvcc and "thrust::" in template),
    )(lambda g: g.inner(**changes).fill(template))


for feature in read((pathlib.Path(__file__).parent / "Inputs" / "features.txt").read_text()):
    add(*feature)
