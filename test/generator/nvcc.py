# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs through the real toolkit: nvcc alone and autoprof-nvcc.

They are linked with the fake runtime and run, too. Real headers declare what
is used here as the fake ones do; only Thrust's classes differ.
"""

import events
from check import Check
from toolchain import INPUTS, RUN_SECONDS, crashed, run


class NvccCheck(Check):
    def check(self):
        self.write()
        plain = self.build("plain", self.tools.cuda / "bin" / "nvcc")
        if crashed(*plain):
            self.numbers["skipped"] = 1
            return self
        probes = self.build("nvcc", self.tools.build / "bin" / "autoprof-nvcc")
        if plain[0]:
            self.fail_plain(plain[1])
        if plain[0] != probes[0]:
            self.fail(
                "exit code of autoprof-nvcc",
                f"{plain[0]} without probes, {probes[0]} with\n{probes[1]}",
            )
        if plain[0] or probes[0]:
            return self
        reference, done = self.link_and_run("plain"), self.link_and_run("nvcc")
        if not reference or reference.code < 0 or reference.code >= 97:
            self.fail(
                "generator", f"the plain program of nvcc ends with {reference and reference.code}"
            )
        elif not done:
            self.fail("does not link (nvcc)", "with probes")
        else:
            self.check_probes()
            self.same("output of the program (nvcc)", reference.out, done.out)
            if reference.code != done.code:
                self.fail(
                    "exit code of the program (nvcc)",
                    f"{reference.code} without probes, {done.code} with",
                )
        return self

    def check_probes(self):
        rows = events.table(self.folder / "nvcc.exe")
        recorded = events.read_events(
            (self.folder / "nvcc.events").read_text() if rows else "", rows
        )
        if recorded.problems:
            self.fail("nesting of probes (nvcc)", "\n".join(recorded.problems[:20]))
        self.numbers.update(ran=1, sites=len(rows), probes=recorded.probes)

    def build(self, suffix, compiler):
        for unit in self.program.units:
            done = self.start(
                [
                    compiler,
                    f"-std={self.program.std}",
                    "-arch=sm_90",
                    "-w",
                    "-isystem",
                    INPUTS / "trace",
                    "-c",
                    unit,
                    "-o",
                    f"{unit}.{suffix}.o",
                ]
            )
            if done.code:
                break
        return done.code, done.out + done.error

    def link_and_run(self, suffix):
        objects = [f"{unit}.{suffix}.o" for unit in self.program.units]
        done = run(
            [
                self.tools.cuda / "bin" / "nvcc",
                "-arch=sm_90",
                "-cudart=none",
                *objects,
                self.tools.support / "fake_cuda.c.o",
                *[self.tools.support / "recorder.cpp.o"] * (suffix == "nvcc"),
                "-o",
                f"{suffix}.exe",
                "-lpthread",
            ],
            self.folder,
        )
        return (
            None
            if done.code
            else self.start(
                [f"./{suffix}.exe"],
                RUN_SECONDS,
                AUTOPROF_TEST_EVENTS=str(self.folder / f"{suffix}.events"),
            )
        )
