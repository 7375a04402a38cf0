# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands that pip installs: each becomes the program in bin/."""

import os
import signal
import sys
from typing import NoReturn


def _execute(name: str) -> NoReturn:
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", name)
    # Python ignores these signals, and a program would inherit that.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    try:
        os.execv(program, [name] + sys.argv[1:])
    except OSError as error:
        print(f"{name}: cannot run '{program}': {error.strerror}; reinstall autoprof", file=sys.stderr)
        sys.exit(2)


def autoprof() -> NoReturn:
    _execute("autoprof")


def nvcc() -> NoReturn:
    _execute("autoprof-nvcc")
