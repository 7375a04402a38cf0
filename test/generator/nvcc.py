# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs through the real toolkit: nvcc alone and autoprof-nvcc."""
from check import Check
from toolchain import INPUTS, RUN_SECONDS, run


class NvccCheck(Check):
    def check(self):
        self.write()
        results = {name: self.build(name, compiler) for name, compiler in (
            ("plain", [self.tools.cuda / "bin" / "nvcc"]), ("nvcc", [self.tools.build / "bin" / "autoprof-nvcc"]))}
        plain, probes = results["plain"], results["nvcc"]
        if plain[0] and "only nvcc" not in plain[1]:
            self.fail("generator", plain[1])
        if plain[0] != probes[0]:
            self.fail("exit code of autoprof-nvcc", f"{plain[0]} without probes, {probes[0]} with\n{probes[1]}")
        if plain[0] or probes[0]:
            return self
        reference = self.link_and_run("plain")
        done = self.link_and_run("nvcc")
        if reference and done:
            self.numbers["ran"] = 1
            self.same("output of the program (nvcc)", reference.out, done.out)
            if reference.code != done.code:
                self.fail("exit code of the program (nvcc)", f"{reference.code} without probes, {done.code} with")
        return self

    def build(self, suffix, compiler):
        code, error = 0, ""
        for unit in self.program.units:
            done = self.start(compiler + [f"-std={self.program.std}", "-arch=sm_90", "-w", "-isystem", INPUTS / "nvcc",
                                          "-c", unit, "-o", f"{unit}.{suffix}.o"])
            code, error = code or done.code, error + done.error
        return code, error

    def link_and_run(self, suffix):
        """None where it does not link against the fake runtime."""
        objects = [f"{unit}.{suffix}.o" for unit in self.program.units]
        done = run([self.tools.cuda / "bin" / "nvcc", "-arch=sm_90", "-cudart=none", *objects,
                    self.tools.support / "fake_cuda.c.o", "-o", f"{suffix}.exe", "-lpthread"], self.folder)
        if done.code:
            self.failures.append(None) if False else None
            return None
        return self.start([f"./{suffix}.exe"], RUN_SECONDS)
