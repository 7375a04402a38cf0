#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures which calls wait, for the catalogue: needs a GPU that does nothing else.

    ninja -C build/release autoprof-calls
    bench/calibrate/run.py build/release -o calls.json          # about two minutes
    bench/calibrate/run.py build/release --only 'cudaMemcpy*' -o copies.json
    bench/calibrate/run.py build/release --list                 # needs no GPU
    tool/catalogue/measured/update.py calls.json                # takes it into the catalogue

A worker measures (Worker.cpp). A case in which it crashes or hangs becomes an observation with an
error, and another worker continues after it. Thrust, CUB, copies of device variables, and kernels
that print need nvcc, which compiles the sources in compiled/ in the background meanwhile."""
import argparse
import fnmatch
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
START_LIMIT = 120  # s; the driver wakes the GPUs up, which takes long on machines with many.
MOST_HANGS = 5  # Then the GPU is stuck, and the rest would hang as well.
# What would change what is measured.
LEFT_OUT = ("CUDA_LAUNCH_BLOCKING", "CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", "NCCL_DEBUG")


class Worker:
    def __init__(self, program, gpu, folder):
        # Code that the driver compiles is found again, as in a second run of a program, but nothing
        # remains in the user's own cache.
        environment = {k: v for k, v in os.environ.items() if k not in LEFT_OUT}
        environment["CUDA_CACHE_PATH"] = str(folder / "cache")
        self.rest = b""
        self.process = subprocess.Popen([program, "measure", str(gpu), str(folder)], env=environment,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)

    def ask(self, index):
        try:
            self.process.stdin.write(b"%d\n" % index)
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # read() reports it.

    def read(self, seconds):
        """A reply; or why there is none, and then it is gone."""
        limit = time.monotonic() + seconds
        output = self.process.stdout.fileno()
        while b"\0" not in self.rest:
            if not select.select([output], [], [], max(0, limit - time.monotonic()))[0]:
                self.kill()
                return f"did not return within {seconds:g} s"
            part = os.read(output, 65536)
            if not part:
                code = self.process.wait()
                return f"the process {'crashed (' + signal.strsignal(-code) + ')' if code < 0 else f'ended with code {code}'}"
            self.rest += part
        text, _, self.rest = self.rest.partition(b"\0")
        try:
            return json.loads(text)
        except ValueError:
            self.kill()
            return "the measuring process wrote nonsense"

    def end(self):
        """It has a few seconds to release the GPU."""
        self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Nvcc:
    """Compiles sources for one GPU, all at once and in the background."""

    def __init__(self, names, capability, folder):
        self.folder, self.running = folder, {}
        nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
        self.unavailable = None if nvcc else "needs nvcc, which is not in PATH or /usr/local/cuda"
        # Only the architecture of this GPU, little optimization, and the runtime that the measuring
        # process has open: this saves time.
        for name in names if nvcc else ():
            self.running[name] = subprocess.Popen(
                ["nice", nvcc, "-std=c++17", "-O1", "-arch=sm_" + capability.replace(".", ""), "-shared", "-Xcompiler=-fPIC",
                 "-cudart=shared", "-o", folder / (name + ".so"), HERE / "compiled" / (name + ".cu")],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def missing(self, name):
        """Why there is no NAME.so; None: there is."""
        if name and not self.unavailable and self.running[name].wait() != 0:
            return f"nvcc cannot compile {HERE / 'compiled' / name}.cu"
        return self.unavailable if name else None


class Run:
    def __init__(self, program, gpu, folder, limit):
        self.start = lambda: Worker(program, gpu, folder)
        self.limit, self.hangs = limit, 0
        self.worker, self.result = None, None

    def ensure_worker(self):
        if self.worker:
            return
        self.worker = self.start()
        hello = self.worker.read(START_LIMIT)
        if isinstance(hello, str):
            sys.exit(f"run.py: the worker cannot start: {hello}")
        self.result = self.result or hello

    def reply(self, index):
        for attempt in range(2):
            self.ensure_worker()
            self.worker.ask(index)
            reply = self.worker.read(self.limit)
            if isinstance(reply, str):
                self.worker = None
            # It ends after a case that destroys what others share; then the next one asks in vain.
            if reply != "the process ended with code 0":
                return reply
        return reply

    def add(self, index, case, missing):
        library, call, arguments, _ = case
        if any(s["library"] == library for s in self.result["skipped"]):
            return
        reply = missing or self.reply(index)
        if isinstance(reply, str):
            self.result["observations"].append({"call": call, "what": arguments, "facts": {}, "error": reply})
            self.hangs += reply.startswith("did not return")
            if self.hangs == MOST_HANGS:
                sys.exit(f"run.py: {MOST_HANGS} calls did not return; the GPU or its driver seems to be stuck, the last "
                         f"time in {call}")
            return
        for key in ("observations", "skipped"):
            self.result[key] += reply[key]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("build", type=pathlib.Path)
    options.add_argument("-o", "--output", type=pathlib.Path, default="calls.json")
    options.add_argument("--only", default="*", help="a pattern of calls")
    options.add_argument("--gpu", type=int, default=0)
    options.add_argument("--limit", type=float, default=30, help="seconds for one case")
    options.add_argument("--list", action="store_true")
    options.add_argument("--worker", help="measures instead of the build's (for tests)")
    a = options.parse_args()
    program = a.build / "bench" / "autoprof-calls"
    listed = subprocess.run([program, "list"], check=True, capture_output=True, text=True).stdout
    cases = [(i, line.split("\t")) for i, line in enumerate(listed.splitlines())]
    cases = [(i, case) for i, case in cases if fnmatch.fnmatchcase(case[1], a.only)]
    if a.list or not cases:
        print("\n".join(f"{case[1]}: {case[2]}" for _, case in cases) or f"no case fits '{a.only}'")
        return
    with tempfile.TemporaryDirectory() as folder:
        run = Run(a.worker or program, a.gpu, pathlib.Path(folder), a.limit)
        try:
            run.ensure_worker()
            nvcc = Nvcc({case[3] for _, case in cases if case[3]}, run.result["compute_capability"],
                        pathlib.Path(folder))
            for done, (index, case) in enumerate(cases):
                if sys.stderr.isatty():
                    print(f"\r\x1b[K{done + 1} of {len(cases)}, {case[1]}", end="", file=sys.stderr, flush=True)
                run.add(index, case, nvcc.missing(case[3]))
        finally:
            if run.worker:
                run.worker.end()
    run.result["made"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    a.output.write_text(json.dumps(run.result, indent=1) + "\n")
    failed = sum(o["error"] is not None for o in run.result["observations"])
    print(f"wrote {a.output}: {len(run.result['observations']) - failed} measured, {failed} not")


main()
