# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands that compile, link and start generated programs."""

import dataclasses
import os
import pathlib
import re
import subprocess

INPUTS = pathlib.Path(__file__).parent / "Inputs"
COMPILE_SECONDS, RUN_SECONDS = 600, 60


@dataclasses.dataclass
class Done:
    code: int
    out: str
    error: str


def run(command, folder, seconds=COMPILE_SECONDS, **environment):
    """A timeout is code 124."""
    names = {name: value for name, value in os.environ.items() if not name.startswith("AUTOPROF_")}
    names.update(LLVM_PROFILE_FILE="/dev/null", **environment)
    try:
        done = subprocess.run(
            [str(word) for word in command],
            cwd=folder,
            env=names,
            timeout=seconds,
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        return Done(124, "", f"not finished after {seconds} s")
    return Done(done.returncode, done.stdout, done.stderr)


def crashed(code, messages):
    """Did a compiler, clang or one of those that nvcc starts, fail by a fault of
    its own? It says so, unless a signal ended it."""
    return code < 0 or bool(
        code
        and re.search(
            r"PLEASE (submit|ATTACH)|internal (compiler )?error|died due to signal|"
            r"frontend command failed (due to signal|with exit code)",
            messages,
        )
    )


class Toolchain:
    def __init__(self, build, work):
        """`build`: of autoprof. The objects that all programs share go to `work`."""
        build = pathlib.Path(build).resolve()
        site = (build / "test" / "lit.site.cfg.py").read_text()
        setting = lambda name: pathlib.Path(re.search(rf'^config.{name} = "(.*)"$', site, re.M)[1])
        self.build, self.llvm, self.cuda = build, setting("llvm_bin"), setting("cuda_path")
        self.plugin, self.probe = (
            build / "lib" / "autoprof.so",
            build / "include" / "autoprof" / "probe.h",
        )
        self.support = pathlib.Path(work).resolve() / "support"
        self.support.mkdir(parents=True, exist_ok=True)
        for source, compiler in (("fake_cuda.c", "clang"), ("recorder.cpp", "clang++")):
            done = run(
                [
                    self.llvm / compiler,
                    "-O1",
                    "-c",
                    INPUTS / source,
                    "-o",
                    self.support / (source + ".o"),
                    "-isystem",
                    INPUTS / "system",
                    "-isystem",
                    INPUTS / "trace",
                    "-isystem",
                    self.probe.parent.parent,
                    "-Wno-everything",
                ],
                self.support,
            )
            if done.code:
                raise SystemExit(f"{source} does not compile:\n{done.error}")

    def compiler(self, program):
        base = [
            self.llvm / ("clang" if program.language == "c" else "clang++"),
            f"-std={program.std}",
            "-isystem",
            INPUTS / "system",
            "-isystem",
            INPUTS / "trace",
        ]
        if program.language == "cuda":
            base += [
                "-x",
                "cuda",
                "-nocudainc",
                "-nocudalib",
                "--cuda-host-only",
                "-Wno-unknown-cuda-version",
            ]
        return base

    def with_plugin(self, *arguments):
        return [
            f"-fplugin={self.plugin}",
            "-fplugin-arg-autoprof-root=.",
            *(f"-fplugin-arg-autoprof-{argument}" for argument in arguments),
        ]

    def link(self, objects, output, folder, flags, recorder):
        command = [
            self.llvm / "clang++",
            "-no-pie",
            *flags,
            *objects,
            self.support / "fake_cuda.c.o",
            "-o",
            output,
            "-pthread",
        ]
        return run(command + [self.support / "recorder.cpp.o"] * recorder, folder)
