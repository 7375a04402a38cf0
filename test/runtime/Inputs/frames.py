# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls that wait at all sorts of lines; frames.py FILE writes the stacks that
Python itself sees there to FILE, as docs/trace-format.md has them. fake-cuda.cpp
calls back from inside of the call."""
import ctypes
import itertools
import sys

cuda = ctypes.CDLL("libcuda.so.1")
expected = []


def columns(frame):
    """Of the expression that the frame is at, counted from 1; from 3.11 on."""
    positions = getattr(frame.f_code, "co_positions", None)
    if not positions:
        return ""
    line, end_line, begin, end = next(itertools.islice(positions(), frame.f_lasti // 2, None))
    if begin is None or end is None:
        return ""
    return ":%d-%d" % (begin + 1, end) if end_line == line else ":%d-%d:%d" % (begin + 1, end_line, end)


@ctypes.CFUNCTYPE(None)
def here():
    frame, text = sys._getframe(1), ""
    while frame:
        code = frame.f_code
        text += "%s:%d%s %s\n" % (code.co_filename, frame.f_lineno, columns(frame),
                                  getattr(code, "co_qualname", code.co_name))
        frame = frame.f_back
    expected.append(text)


def wait(*_):
    cuda.cudaMemcpy(None, None, 4, 2)


class Größe:
    def __init__(self):
        self.call = lambda: (None, cuda.cudaMemcpy(None, None, 4, 2))

    @property
    def late(self):
        for i in range(2):
            if i == 1:
                return wait(
                    i,
                    # a long call
                    [j for j in
                     range(3)])

    def __iter__(self):
        yield wait()
        try:
            raise ValueError
        except ValueError:
            yield wait()


# Many frames, whose file has a short name, because a stack's text has limits.
exec(compile("""
def deep(n):
    return deep(n - 1) if n else wait()
""", "deep.py", "exec"))

# A long function, for lines far from the first one.
exec(compile("def long():\n  x = 1\n" + "  x += 1\n" * 700 + """
  wait()
  while x > 0:
    x = 0; wait()
  return (wait(),
          wait())
""", "long.py", "exec"))

cuda.cuInit(0)
cuda.callInCopies(here)
wait()
Größe().call()
Größe().late
list(Größe())
deep(20)
long()
eval("wait()")
[wait() for _ in range(2)]
sorted([2, 1], key=lambda n: wait() or n)
with open(sys.argv[1], "w", encoding="utf-8") as out:
    for stack in expected:
        out.write(stack + "\n")
