# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""interrupt.py LINES COMMAND...: runs it, interrupts it like a terminal as soon as the file "log" has so many lines,
and fails unless its exit code is 130."""
import os
import signal
import subprocess
import sys
import time

process = subprocess.Popen(sys.argv[2:], start_new_session=True)
while process.poll() is None:
    if os.path.exists("log") and len(open("log", encoding="utf-8").readlines()) >= int(sys.argv[1]):
        os.killpg(process.pid, signal.SIGINT)
        break
    time.sleep(0.01)
assert process.wait() == 130, process.returncode
