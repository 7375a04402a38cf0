#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates programs and checks autoprof on each: see README.md.

Exit code: 0 all hold, 1 some failed, 2 wrong usage.
"""

import argparse
import collections
import concurrent.futures
import pathlib
import shutil
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from check import Check  # noqa: E402
from generate import generate  # noqa: E402
from nvcc import NvccCheck  # noqa: E402
from reduce import reduce  # noqa: E402
from toolchain import Toolchain  # noqa: E402


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--build", default="build/release", help="build folder of autoprof (default: %(default)s)"
    )
    parser.add_argument(
        "--seeds", default="0:100", help="FROM:TO, or one seed (default: %(default)s)"
    )
    parser.add_argument(
        "--jobs", type=int, default=2, help="programs at a time (default: %(default)s)"
    )
    parser.add_argument(
        "--work",
        default="build/generator",
        help="where programs go; failing ones stay (default: %(default)s)",
    )
    parser.add_argument(
        "--nvcc",
        default="0",
        metavar="1/N",
        help="also build every Nth program with nvcc and autoprof-nvcc",
    )
    parser.add_argument(
        "--no-reduce", action="store_true", help="keep failing programs as they are"
    )
    parser.add_argument(
        "--reduce-seconds",
        type=float,
        default=90,
        help="at most, for one program (default: %(default)s)",
    )
    parser.add_argument(
        "--drop",
        default="",
        help="paths to leave out, with commas, as a failure's report gives them",
    )
    parser.add_argument("--print", action="store_true", help="print the programs, check nothing")
    parser.add_argument("--keep", action="store_true", help="keep the folders of all programs")
    return parser.parse_args()


def one(args, tools, seed):
    """Checks one program; returns (check, folder of the kept failure)."""
    drop = frozenset(filter(None, args.drop.split(",")))
    every = int(args.nvcc.split("/")[-1])
    folder = pathlib.Path(args.work).resolve() / f"seed-{seed}"

    def attempt(drop):
        nvcc = every and seed % every == 0
        program = generate(seed, drop, nvcc)
        return (NvccCheck if nvcc else Check)(tools, program, folder).check()

    check = attempt(drop)
    kept = None
    if check.failures:
        if not args.no_reduce and check.failures[0].kind != "generator":
            check = reduce(attempt, check, drop, args.reduce_seconds)
        kept = folder.with_name(f"failure-{seed}")
        shutil.rmtree(kept, ignore_errors=True)
        check.write()
        report(check, seed)
        shutil.move(folder, kept)
    elif not args.keep:
        shutil.rmtree(folder)
    return check, kept


def report(check, seed):
    lines = [f"seed {seed} --drop {','.join(sorted(check.program.drop)) or chr(39) * 2}"]
    lines += [f"\n## {failure.kind}\n{failure.text}" for failure in check.failures]
    (check.folder / "failure.txt").write_text(
        "\n".join(lines) + "\n\n## commands\n" + "\n".join(check.commands) + "\n"
    )


def main():
    args = parse()
    first, _, last = args.seeds.partition(":")
    seeds = range(int(first), int(last) if last else int(first) + 1)
    if args.print:
        for seed in seeds:
            for name, text in generate(seed, filter(None, args.drop.split(","))).files.items():
                print(f"//--- {name}\n{text}")
        return 0
    tools = Toolchain(args.build, args.work)
    start, kinds, numbers = time.monotonic(), collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for seed, done in (
            (seed, done)
            for seed, done in zip(seeds, pool.map(lambda s: one(args, tools, s), seeds))
        ):
            check, kept = done
            numbers.update(check.numbers)
            kinds.update({failure.kind for failure in check.failures})
            for failure in check.failures[:1]:
                print(
                    f"seed {seed}: {failure.kind}: {kept}\n  "
                    + "\n  ".join(failure.text.splitlines()[:6]),
                    flush=True,
                )
    seconds = time.monotonic() - start
    print(
        f"{len(seeds)} programs in {seconds:.1f} s: {numbers['ran']} compiled and ran, {numbers['sites']} probes in tables, "
        f"{numbers['probes']} ran;\n{numbers['calls']} calls of CUDA, {numbers['covered']} in a probe of theirs, "
        f"{numbers['left_alone']} left alone as list=on says"
    )
    if numbers["skipped"]:
        print(f"{numbers['skipped']} skipped: the compiler crashed without the plugin")
    for kind, count in kinds.most_common():
        print(f"  {count:5} {kind}")
    print("FAILED" if kinds else "all hold")
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
