# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the command autoprof for ``python -m autoprof``."""

from ._commands import autoprof

if __name__ == "__main__":
    autoprof()
