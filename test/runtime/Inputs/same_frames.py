# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same_frames.py TRACE EXPECTED: each expected stack is in the trace as it is."""
import sys

trace = open(sys.argv[1], "rb").read()
stacks = open(sys.argv[2], "rb").read().split(b"\n\n")[:-1]
assert len(stacks) >= 12, len(stacks)
for stack in stacks:
    # Interned: the length of the text stands before it.
    if stack + b"\n" not in trace:
        sys.exit("not in the trace:\n" + stack.decode())
print(len(stacks), "stacks")
