# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program whose standard error, or all of whose output, is a terminal.

Usage: on_terminal.py err|all HURRY.so PROGRAM...

Prints what came to the terminal, made readable: ESC as <ESC>, \\r as <CR>. Checks that every line of progress was taken
back: behind the last one the line is erased."""
import os
import pty
import subprocess
import sys

what, hurry, command = sys.argv[1], sys.argv[2], sys.argv[3:]
terminal, end = pty.openpty()
environment = dict(os.environ, TERM="xterm", LD_PRELOAD=hurry, ASAN_OPTIONS="verify_asan_link_order=0")
child = subprocess.Popen(
    command, stdout=end if what == "all" else subprocess.DEVNULL, stderr=end, stdin=subprocess.DEVNULL, env=environment
)
os.close(end)
text = b""
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:  # What Linux says at the end.
        break
    if not part:
        break
    text += part
if child.wait():
    sys.exit("failed:\n" + text.decode())
shown = text.decode().replace("\r\n", "\n").split("\r\x1b[K")
print("\n".join(line.replace("\x1b", "<ESC>").replace("\r", "<CR>") for line in shown))
if len(shown) > 1 and not (shown[-1] == "" or what == "all"):
    sys.exit("the last line of progress stayed")
