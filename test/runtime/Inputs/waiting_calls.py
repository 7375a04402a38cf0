# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rows of runtime/cupti/WaitingCalls.def, from the catalogue:

    autoprof explain --all --format=json | python3 test/runtime/Inputs/waiting_calls.py

Functions of CUDA's runtime and driver that wait, or may, whatever decides it.
Without launches, which light recording leaves alone, and without those that
find a kernel or a variable: they load it at its first use only, and the
runtime may call them at every launch."""
import json
import sys

CLASSES = ("copy", "set", "sync", "alloc", "free", "other")
rows = json.load(sys.stdin)["rows"]
for library, macro in (("cudart", "RUNTIME"), ("cuda", "DRIVER")):
    names = {r["name"] for r in rows
             if r["library"] == library and r["class"] in CLASSES and r["waits"] in ("yes", "maybe")}
    for name in sorted(n for n in names if "Get" not in n and "Profiler" not in n):
        print("AUTOPROF_%s_CALL(%s)" % (macro, name))
