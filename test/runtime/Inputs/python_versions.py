# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python_versions.py AUTOPROF INTERPRETER...: the Python frames in the trace are
those that each interpreter itself reports, or there are none where its layout is
not known. An INTERPRETER that does not run is skipped, by name. Needs the
stand-ins of this folder in the current directory."""
import os
import subprocess
import sys

inputs = os.path.dirname(os.path.abspath(__file__))
autoprof = sys.argv[1]
DESCRIBE = """if 1:
    import ctypes, sys, sysconfig
    print("%d.%d.%d" % sys.version_info[:3], sys.version_info[1],
          bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
          hasattr(sys, "gettotalrefcount"), sys.version_info[3] == "final")"""


def stacks_of(trace, expected):
    """How many of the expected stacks are in the trace, and whether any frame
    of a Python file is."""
    data = open(trace, "rb").read()
    stacks = open(expected, "rb").read().split(b"\n\n")[:-1]
    assert len(stacks) >= 12, len(stacks)
    found = sum(stack + b"\n" in data for stack in stacks)
    return found, len(stacks), b"frames.py:" in data


def check(interpreter):
    """A sentence, and whether all is well."""
    try:
        told = subprocess.run([interpreter, "-c", DESCRIBE], capture_output=True, text=True)
    except OSError:
        return "skipped, not found", True
    if told.returncode:
        return "skipped, does not run", True
    version, minor, free_threaded, debug, final = told.stdout.split()
    name = version + "t" * (free_threaded == "True") + "d" * (debug == "True")
    trace = "frames-%s-%d.pftrace" % (name, os.getpid())
    env = dict(os.environ, LD_LIBRARY_PATH=".", FAKE_CUPTI="launches", FAKE_WAITS="1")
    run = subprocess.run([autoprof, "run", "--stacks", "-o", trace, "--", interpreter,
                          os.path.join(inputs, "frames.py"), trace + ".txt"], env=env)
    if run.returncode:
        return "%s: exit code %d" % (name, run.returncode), False
    found, total, any_frame = stacks_of(trace, trace + ".txt")
    known = 9 <= int(minor) <= 15 and free_threaded == "False" and final == "True"
    if found == total:
        return "%s: all %d stacks" % (name, total), known
    if not any_frame:
        return "%s: no Python stacks" % name, not known or debug == "True"
    return "%s: %d of %d stacks are right" % (name, found, total), False


good, checked = True, 0
for python in sys.argv[2:]:
    text, fine = check(python)
    print(("" if fine else "WRONG: ") + python + ": " + text)
    good = good and fine
    checked += "skipped" not in text
sys.exit(0 if good and checked else 1)
