# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the checks of events.py must notice."""

from events import Row, read_events, split_list

ROWS = {
    Row("0x1", "free", 1, 1, "a.cu", "f", "cudaFree"),
    Row("0x2", "function", 1, 1, "a.cu", "f", ""),
    Row("0x3", "launch", 1, 1, "a.cu", "f", "kernel"),
}


def recorded(*lines):
    return read_events("\n".join(lines), ROWS)


def fails(*lines):
    assert recorded(*lines).problems, lines


good = recorded(
    "1 ( 0x2 1",
    "1 + 0x1 2",
    "1 ! cudaFree 0x40",
    "2 + 0x3 3",
    "1 - 0x1 2",
    "2 ! <launch> 0x50",
    "2 - 0x3 3",
    "1 ) 0x2 1",
)
assert not good.problems and not good.bare and good.calls == 2 and good.probes == 3
fails("1 + 0x1 1")  # does not end
fails("1 - 0x1 1")  # did not begin
fails("1 + 0x1 1", "1 - 0x1 2")  # another token
fails("1 + 0x1 1", "1 + 0x3 2", "1 - 0x1 1", "1 - 0x3 2")  # does not nest
fails("1 + 0x1 1", "2 - 0x1 1")  # on another thread
fails("1 + 0x9 1", "1 - 0x9 1")  # in no table
fails("1 ( 0x1 1", "1 ) 0x1 1")  # a site as a range
fails("1 + 0x1 1", "1 ) 0x1 1")
assert recorded("1 + 0x1 1", "1 - 0x1 1", "1 ! cudaFree 0x40").bare == [("cudaFree", "0x40")]
assert recorded("1 + 0x1 1", "1 ! cudaMemset 0x40", "1 - 0x1 1").bare == [("cudaMemset", "0x40")]

rows, skipped, rest = split_list(
    "a.cu:1:1: free cudaFree in f [0x00000000000000a1]\nb.cu:2:3: loop in f(int): not instrumented: no\n"
    "a.cu: not instrumented: no\nc.cu:4:5: free cudaFree in f: not in the emitted text: no\na.cu:1:1: warning: x\n"
)
assert (
    [row.callee for row in rows] == ["cudaFree"]
    and {(s.file, s.only_in_text) for s in skipped} == {("b.cu", False), ("a.cu", False), ("c.cu", True)}
    and rest == "a.cu:1:1: warning: x\n"
)
