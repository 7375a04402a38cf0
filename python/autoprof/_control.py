# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls the recording library, if it is in this process."""

import os
from typing import Any, Callable, Optional

# The values of enum autoprof_request in include/autoprof/probe.h.
START, STOP, STEP = 0, 1, 2

_Function = Callable[[int], int]
_function: Optional[_Function] = None


def _look_up(ctypes: Any, library: Optional[str]) -> Optional[_Function]:
    try:
        # PyDLL keeps the GIL: releasing it would let another thread take it at
        # each call, and the recorder never waits for it. RTLD_NOLOAD: only if
        # the library is already loaded.
        mode = 0 if library is None else os.RTLD_NOLOAD | os.RTLD_LAZY
        function = ctypes.PyDLL(library, mode=mode).autoprof_control_v1
    except (AttributeError, OSError):
        return None
    function.argtypes = (ctypes.c_int,)
    function.restype = ctypes.c_int
    found: _Function = function
    return found


def _injected() -> Optional[str]:
    """The library that the CUDA driver opens when it initialises."""
    library = os.environ.get("CUDA_INJECTION64_PATH", "")
    return library if os.path.basename(library) == "libautoprof.so" else None


def _find() -> Optional[_Function]:
    try:
        import ctypes
    except ImportError:  # This Python was built without libffi.
        return None
    return _look_up(ctypes, None) or (_look_up(ctypes, _library) if _library else None)


def request(kind: int) -> bool:
    """Makes one of the requests above; returns False if there is no recorder."""
    global _function
    if _function is None and _library is not None:
        _function = _find()  # The driver may have loaded the library meanwhile.
    return _function is not None and _function(kind) != 0


_library = _injected()
_function = _find() if _library or "libautoprof" in os.environ.get("LD_PRELOAD", "") else None
