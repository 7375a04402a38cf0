# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""crashes.py RUNTIME AUTOPROF: ends ./host in the middle, in several ways, and
says for each whether the trace reaches to half a second before the end."""
import json
import os
import resource
import signal
import subprocess
import sys
import time

import pftrace

runtime, autoprof = sys.argv[1:]


def start(trace, **more):
    if os.path.exists(trace):
        os.remove(trace)
    environment = dict(os.environ, LD_PRELOAD=runtime, AUTOPROF_OUTPUT=trace, **more.pop("env", {}))
    return subprocess.Popen(["./host", "endless"], env=environment, stdout=subprocess.DEVNULL, **more)


def report(trace):
    text = subprocess.run([autoprof, "report", "--format=json", trace], stdout=subprocess.PIPE, check=True).stdout
    return json.loads(text)


def crash(name, number, env=None):
    """How far before the end the trace ends, at best of a few attempts: the
    machine may be busy with something else for longer than that."""
    gap = None
    for _ in range(5):
        trace = name + ".pftrace"
        process = start(trace, env=env or {})
        time.sleep(0.7)
        end = time.monotonic_ns()
        process.send_signal(number)
        status = process.wait()
        read = pftrace.Trace(trace)
        last = max((s["end"] for s in read.slices), default=0)
        gap = (end - last) / 1e9
        if gap < 0.5:
            break
    ended = report(trace)["inputs"][0]["ended_in_order"]
    print("%s: status %d, to half a second before the end: %s, problems %s, ended in order: %s" % (
        name, status, gap < 0.5, read.problems, ended))


crash("kill", signal.SIGKILL)
crash("compressed", signal.SIGKILL, {"AUTOPROF_COMPRESS": "1"})
crash("segfault", signal.SIGSEGV)
crash("abort", signal.SIGABRT)

# A full disk: the file ends where the limit is, which may by chance be between
# two packets, and the program goes on.
LIMIT = 300 << 10
for _ in range(5):
    full = start("full.pftrace", stderr=subprocess.PIPE,
                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT)))
    for _ in range(100):
        time.sleep(0.1)
        if os.path.exists("full.pftrace") and os.path.getsize("full.pftrace") == LIMIT:
            break
    time.sleep(0.5)
    alive = full.poll() is None
    full.kill()
    said = full.communicate()[1].decode()
    losses = report("full.pftrace")["loss"]
    if losses["bytes_dropped"]:
        break
print("full: alive %s, size %d, said %d, dropped at the end %s" % (
    alive, os.path.getsize("full.pftrace"), said.count("recording to"), 0 < losses["bytes_dropped"] < 400 << 10))
