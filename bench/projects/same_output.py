#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs plain and instrumented and compares their output.

    bench/projects/same_output.py LIST [--seconds 60] [--runtime libautoprof.so]

LIST has a line for each program, separated by tabs: a name, the folder to run
it in, the plain program, and one or more instrumented ones with a label each,
as LABEL=PATH. Each plain program runs three times: numbers in which those runs
differ (times, rates, addresses) are masked in all runs; everything else must be
the same, including standard error and the exit code. With --runtime each
instrumented program runs once more with that library preloaded and recording.

Programs whose plain runs fail or time out prove nothing and are counted
separately. Exit status: 0 if all agree, 1 if one does not.
"""
import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile

NUMBER = re.compile(r"0x[0-9a-fA-F]+|[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def run(program, folder, seconds, env):
    try:
        done = subprocess.run([program], cwd=folder, timeout=seconds, env=env,
                              stdin=subprocess.DEVNULL, capture_output=True)
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return "timeout", "", ""
    except OSError as e:
        return str(e), "", ""


def skeleton(text, program):
    """Splits the text into the parts between its numbers, without the program's own name, and the numbers."""
    text = text.replace(program, "PROGRAM").replace(os.path.basename(program), "PROGRAM")
    return NUMBER.split(text), NUMBER.findall(text)


def agree(plain, other, plain_program, program):
    """Whether the output `other` agrees with those of the plain runs; None if even the words of these differ."""
    words, numbers = zip(*(skeleton(text, plain_program) for text in plain))
    own_words, own_numbers = skeleton(other, program)
    if any(w != words[0] for w in words):
        return None
    return own_words == words[0] and all(
        len(set(seen)) > 1 or seen[0] == own for *seen, own in zip(*numbers, own_numbers))


def compare(name, folder, plain, variants, options):
    env = dict(os.environ, AUTOPROF_DISABLE="")
    runs = [run(plain, folder, options.seconds, env) for _ in range(3)]
    codes = {r[0] for r in runs}
    if len(codes) > 1 or not isinstance(runs[0][0], int):
        return [(name, "plain", "says nothing: plain runs end with " + ", ".join(map(str, codes)))]
    results = []
    for label, program in variants:
        ways = [(label, env)]
        if options.runtime:
            trace = tempfile.NamedTemporaryFile(suffix=".pftrace")
            ways.append((label + ", recording", dict(env, LD_PRELOAD=options.runtime, AUTOPROF_OUTPUT=trace.name)))
        for what, environment in ways:
            code, out, err = run(program, folder, options.seconds, environment)
            err = "".join(l for l in err.splitlines(True) if not l.startswith("autoprof: "))
            verdict = "same"
            if code != runs[0][0]:
                verdict = f"exit code {code} instead of {runs[0][0]}"
            for stream, index, text in (("output", 1, out), ("error output", 2, err)):
                same = agree([r[index] for r in runs], text, plain, program)
                if verdict == "same" and not same:
                    verdict = f"{stream} differs" if same is False else f"{stream} differs, as that of the plain runs does"
                    if options.verbose:
                        sys.stderr.writelines(difflib.unified_diff(
                            runs[0][index].splitlines(True), text.splitlines(True), f"{name} plain", f"{name} {what}"))
            results.append((name, what, verdict))
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list")
    parser.add_argument("--seconds", type=float, default=60, help="limit for one run (default: 60)")
    parser.add_argument("--runtime", help="libautoprof.so: run once more, recording")
    parser.add_argument("--verbose", action="store_true", help="show differences on standard error")
    options = parser.parse_args()
    counts, failed = {}, 0
    for line in open(options.list):
        if not line.strip():
            continue
        name, folder, plain, *rest = line.rstrip("\n").split("\t")
        for name, what, verdict in compare(name, folder, plain, [r.split("=", 1) for r in rest], options):
            key = "says nothing" if verdict.startswith("says nothing") else \
                  "same" if verdict == "same" else "as unsteady as plain" if "as that" in verdict else "different"
            counts.setdefault(what, {}).setdefault(key, []).append(name)
            failed += key == "different"
            print(f"{name:<40} {what:<24} {verdict}", flush=True)
    print()
    for what, groups in counts.items():
        print(f"{what}: " + ", ".join(f"{len(names)} {key}" for key, names in groups.items()))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
