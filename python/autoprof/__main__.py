# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``python -m autoprof``: the command autoprof."""

from ._commands import autoprof

if __name__ == "__main__":
    autoprof()
