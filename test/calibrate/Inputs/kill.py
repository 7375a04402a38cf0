#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kills the command while its worker hangs; fails if the worker outlives it."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time


def wait_for(what, condition):
    limit = time.monotonic() + 20
    while not condition():
        if time.monotonic() > limit:
            sys.exit(f"{what}: not within 20 s")
        time.sleep(0.02)


def ended(pid):
    """Gone, or a zombie that nobody has waited for."""
    try:
        status = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return True
    return status.rpartition(")")[2].split()[0] == "Z"


with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder, "pid")
    worker = pathlib.Path(__file__).with_name("worker.py")
    environment = dict(os.environ, AUTOPROF_TEST="hang", AUTOPROF_TEST_PID=str(file),
                       AUTOPROF_CALIBRATE_WORKER=str(worker), TMPDIR=folder)
    command = subprocess.Popen(sys.argv[1:], env=environment)
    wait_for("the worker hangs", lambda: file.exists() and file.read_text())
    pid = int(file.read_text())
    if ended(pid):
        sys.exit("the worker ended too early")
    command.kill()
    command.wait()
    wait_for("the worker ends", lambda: ended(pid))
