# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Controls what ``autoprof run`` records of this program.

In a program that is not recorded, every function does nothing and returns False,
so the calls can stay in the program. All functions may be called by any thread.

    import autoprof

    for batch in loader:
        train(batch)
        autoprof.step()
"""

import contextlib as _contextlib
import os as _os
from typing import Iterator as _Iterator

from . import _control

__all__ = ["path", "recording", "start", "step", "stop"]


def start() -> bool:
    """Starts recording. With ``autoprof run --capture=manual`` a program begins unrecorded."""
    return _control.request(_control.START)


def stop() -> bool:
    """Stops recording, until the next ``start()``."""
    return _control.request(_control.STOP)


def step() -> bool:
    """Ends a step and begins the next. Call it once per iteration, in one thread."""
    return _control.request(_control.STEP)


@_contextlib.contextmanager
def recording() -> _Iterator[None]:
    """Records the body of a ``with`` statement or, as a decorator, a function."""
    start()
    try:
        yield
    finally:
        stop()


def path(name: str = "") -> str:
    """The path of a file of this package, for example ``path("include")``."""
    folder = _os.path.dirname(_os.path.abspath(__file__))
    return _os.path.join(folder, *name.split("/")) if name else folder
