# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrites a source, compares text and site list with Expected/, and compiles
the rewritten text with clang (host and device) and, if given, with nvcc.

--update writes Expected/ instead of comparing; look at the difference then.
Arguments behind -- go to the compilers, those that begin with
-fplugin-arg-autoprof to the plugin only.
"""
import argparse
import difflib
import pathlib
import shlex
import shutil
import subprocess
import sys


def run(command, cwd):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{shlex.join(map(str, command))}\nfailed:\n{done.stdout}{done.stderr}")
    return done


def compare(expected, actual, update):
    if update:
        expected.parent.mkdir(parents=True, exist_ok=True)
        expected.write_text(actual)
        return True
    wanted = expected.read_text() if expected.exists() else ""
    sys.stdout.writelines(difflib.unified_diff(
        wanted.splitlines(True), actual.splitlines(True), str(expected), "rewritten"))
    return wanted == actual


def main():
    parser = argparse.ArgumentParser()
    for name in ("source", "work", "plugin", "probe", "clang"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--nvcc")
    parser.add_argument("--nvcc-flag", action="append", default=[])
    parser.add_argument("--update", action="store_true")
    parser.add_argument("flags", nargs="*")
    args = parser.parse_args()

    source = pathlib.Path(args.source)
    folder = source.parent
    expected = folder / "Expected"
    work = pathlib.Path(args.work)
    shutil.rmtree(work, ignore_errors=True)
    emitted = work / "emitted"
    emitted.mkdir(parents=True)
    compiler_flags = [f for f in args.flags if not f.startswith("-fplugin-arg")]
    plugin_flags = [f for f in args.flags if f not in compiler_flags]
    cuda = source.suffix == ".cu"
    clang = shlex.split(args.clang) + compiler_flags + (
        ["--cuda-gpu-arch=sm_90"] if cuda else ["-Qunused-arguments"])

    done = run(clang + ["-c", "-o", work / "instrumented.o", f"-fplugin={args.plugin}",
                        f"-fplugin-arg-autoprof-root={folder}",
                        f"-fplugin-arg-autoprof-emit={emitted}",
                        "-fplugin-arg-autoprof-list=on"] + plugin_flags + [source], work)
    same = compare(expected / (source.name + ".list"), done.stderr, args.update)
    for text in sorted(p for p in emitted.rglob("*") if p.is_file()):
        golden = expected / text.relative_to(emitted)
        same &= compare(golden, text.read_text(), args.update)

    # The rewritten tree must stand on its own.
    for original in folder.glob("Inputs/*"):
        copy = emitted / original.relative_to(folder)
        if not copy.exists():
            copy.parent.mkdir(exist_ok=True)
            shutil.copy(original, copy)
    main_file = emitted / source.name
    if main_file.exists():
        run(clang + ["-include", args.probe, "-fsyntax-only", main_file], work)
        if args.nvcc and cuda:
            run([args.nvcc, "-arch=sm_90", *args.nvcc_flag, "-include", args.probe, "-c", "-o", work / "nvcc.o"]
                + compiler_flags + [main_file], work)
    sys.exit(0 if same else 1)


main()
