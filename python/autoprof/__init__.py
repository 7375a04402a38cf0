# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Controls what ``autoprof run`` records of this program.

In a program that is not recorded, every function does nothing and returns False,
so the calls can stay in the program. All functions may be called by any thread.

    import autoprof

    for epoch in range(epochs):
        with autoprof.range("epoch"):
            for batch in loader:
                train(batch)
                autoprof.step()
"""

import contextlib as _contextlib
import os as _os
from types import TracebackType as _TracebackType
from typing import Iterator as _Iterator
from typing import Optional as _Optional
from typing import Type as _Type

from . import _control

__all__ = ["dump", "mark", "path", "range", "recording", "start", "step", "stop"]


def start() -> bool:
    """Starts recording. With ``autoprof run --capture=manual`` a program begins unrecorded."""
    return _control.request(_control.START)


def stop() -> bool:
    """Stops recording, until the next ``start()``."""
    return _control.request(_control.STOP)


def step() -> bool:
    """Ends a step and begins the next. Call it once per iteration, in one thread."""
    return _control.request(_control.STEP)


def mark(name: str) -> bool:
    """Puts a mark on the calling thread's track."""
    return _control.request(_control.MARK, name)


def dump() -> bool:
    """Writes what ``autoprof run --max-size`` currently keeps into a file next to the trace."""
    return _control.request(_control.DUMP)


@_contextlib.contextmanager
def recording() -> _Iterator[None]:
    """Records the body of a ``with`` statement or, as a decorator, a function."""
    start()
    try:
        yield
    finally:
        stop()


class range(_contextlib.ContextDecorator):  # pylint: disable=redefined-builtin
    """A named range: the body of a ``with`` statement or, as a decorator, a function.

    Ranges nest. Names are cut at 1,000 bytes of UTF-8.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._entered = False

    def _recreate_cm(self) -> "range":
        return range(self._name)

    def __enter__(self) -> "range":
        # A recorder that is loaded while the range is open has not seen its
        # beginning.
        self._entered = _control.is_present()
        if self._entered:
            _control.request(_control.RANGE_PUSH, self._name)
        return self

    def __exit__(
        self,
        kind: _Optional[_Type[BaseException]],
        value: _Optional[BaseException],
        traceback: _Optional[_TracebackType],
    ) -> None:
        if self._entered:
            _control.request(_control.RANGE_POP)


def path(name: str = "") -> str:
    """The path of a file of this package, for example ``path("include")``."""
    folder = _os.path.dirname(_os.path.abspath(__file__))
    return _os.path.join(folder, *name.split("/")) if name else folder
