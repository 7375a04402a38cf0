# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a failing program smaller: drops places of its tree, largest first, as
long as it fails in the same way."""

import time


def reduce(attempt, check, drop, seconds):
    """`attempt(drop)` gives a Check that has run; `check` is that of `drop`.
    Returns the Check of the smallest failing program that was found."""
    kind = check.failures[0].kind
    deadline = time.monotonic() + seconds
    drop = set(drop)
    tried = set()
    shrunk = True
    while shrunk and time.monotonic() < deadline:
        shrunk = False
        for path in sorted(set(check.program.paths) - drop, key=lambda p: (p.count("."), p)):
            if path == "p" or path in tried or path not in check.program.paths:
                continue
            if time.monotonic() > deadline:
                break
            tried.add(path)
            smaller = attempt(frozenset(drop | {path}))
            if any(failure.kind == kind for failure in smaller.failures):
                check, shrunk = smaller, True
                drop.add(path)
    return attempt(frozenset(drop))
