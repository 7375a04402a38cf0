#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows which of CUPTI's switches undoes the cost of recording a launch.

    bench/runtime/residue.py [--rounds N] [--only NAME...]

Needs a GPU and nvcc. Runs residue.cu with sequences of CUPTI calls, one process
for each, in turn, N times. For each step of a sequence the table shows how much
more a launch, a wait, and a call that is not recorded cost than before CUPTI was used in the same process:
medians over the rounds. Each run is printed when it ends.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# The same set-up as in runtime/cupti/Cupti.cpp.
SETUP = "subscribe,setup,callbacks+"
DESCRIBE = "device+,context+,stream+"
ON = "kernel+,memcpy+,memset+,runtime+,memcpy2+,overhead+"
OFF = "memcpy2-,overhead-,kernel-,memcpy-,memset-,runtime-"
CHOOSE = "noise-,driver-calls+"
ALONE = ["kernel", "memcpy", "memset", "memcpy2", "runtime", "driver", "sync", "overhead"]

SEQUENCES = {
    "nothing": ["cuda", "again", "again"],
    "as the runtime": ["cuda", SETUP, DESCRIBE, f"{ON},{CHOOSE}", f"driver-calls-,{OFF}", "again"],
    "subscribed before CUDA": [SETUP, DESCRIBE, "cuda", f"{ON},{CHOOSE}", f"driver-calls-,{OFF}", "again"],
    "no functions chosen": ["cuda", SETUP, DESCRIBE, ON, OFF],
    "only functions of the driver": ["cuda", SETUP, "driver-calls+", "driver-calls-", "noise-", "noise+"],
    "chosen functions given back": ["cuda", SETUP, DESCRIBE, f"{ON},{CHOOSE}", fdriver-calls-,noise+,{OFF}],
    "no descriptions": ["cuda", SETUP, ON, OFF],
    "flushed": ["cuda", SETUP, ON, f"flush,{OFF}", "flush", "flush-forced", "again"],
    "step by step": ["cuda", SETUP, DESCRIBE, ON, *OFF.split(","), "device-", "context-", "stream-", "callbacks-", "domains-", "unsubscribe", "flush-forced"],
    "no subscriber": ["cuda", "setup", ON, OFF],
    "subscribed anew": ["cuda", SETUP, DESCRIBE, ON, OFF, "unsubscribe", SETUP, f"{DESCRIBE},{ON}", OFF, "unsubscribe"],
    "unsubscribed first": ["cuda", SETUP, DESCRIBE, ON, "unsubscribe", OFF],
    "in this context": ["cuda", SETUP, *[",".join(f"context.{word}" for word in words.split(",")) for words in (ON, OFF)]],
    "finalized": ["cuda", SETUP, DESCRIBE, ON, OFF, "finalize", SETUP, f"{DESCRIBE},{ON}", f"{OFF},finalize"],
    # The first step that is measured is `cuda`, with everything on.
    "enabled before CUDA": [SETUP, "kernel+,memcpy+,memset+,each+,driver-calls+", "cuda", "kernel-,memcpy-,memset-,each-,driver-calls-",
                            "kernel+,memcpy+,memset+,each+,driver-calls+", "kernel-,memcpy-,memset-,each-,driver-calls-"],
    **{f"{kind} alone": ["cuda", SETUP, f"{kind}+", f"{kind}-", "unsubscribe"] for kind in ALONE},
}


def build(folder):
    nvcc = shutil.which("nvcc")
    if not nvcc:
        sys.exit("residue.py: nvcc is not on PATH")
    toolkit = os.path.dirname(os.path.dirname(os.path.realpath(nvcc)))
    libraries = [os.path.join(toolkit, name) for name in ("extras/CUPTI/lib64", "lib64", "lib", "targets/x86_64-linux/lib")]
    cupti = next((path for path in libraries if os.path.exists(os.path.join(path, "libcupti.so"))), None)
    if not cupti:
        sys.exit(f"residue.py: there is no libcupti.so below {toolkit}")
    program = os.path.join(folder, "residue")
    subprocess.run([nvcc, "-std=c++17", "-O2", "-arch=native", f"-I{toolkit}/extras/CUPTI/include", os.path.join(HERE, "residue.cu"), "-o", program,
                    f"-L{cupti}", "-lcupti", "-lcuda", *[f"-L{path}/stubs" for path in libraries], "-Xlinker", f"-rpath={cupti}"], check=True)
    return program


def run(program, steps):
    """Returns [(step, ns per launch, per wait, per other call)], or None if the program failed."""
    try:
        result = subprocess.run([program, *steps], stdout=subprocess.PIPE, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return None
    words = result.stdout.split()
    if result.returncode:
        return None
    return [(words[i], *map(float, words[i + 1:i + 4])) for i in range(0, len(words), 4)]


def show(name, results):
    """Prints a row for each step: medians of the difference to the first step."""
    for i, (step, *_) in enumerate(results[0]):
        launch, wait, other = (statistics.median(r[i][which] - r[0][which] for r in results) for which in (1, 2, 3))
        absolute = statistics.median(r[i][1] for r in results)
        print(f"| {name if i == 0 else ''} | {step.replace(',', ', ')} | {absolute:.0f} | {launch:+.0f} | {wait:+.0f} | {other:+.0f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=SEQUENCES, default=list(SEQUENCES), metavar="NAME")
    options = parser.parse_args()
    rows = {name: [] for name in options.only}
    with tempfile.TemporaryDirectory() as folder:
        program = build(folder)
        for _ in range(options.rounds):
            for name in options.only:
                result = run(program, SEQUENCES[name])
                if result is None:
                    print(f"{name}: FAILED", flush=True)
                    continue
                rows[name].append(result)
                print(f"{name}: {result[0][1]:.0f}" + "".join(f" {launch - result[0][1]:+.0f}" for _, launch, *_ in result[1:]), flush=True)
    print("\n| sequence | done | ns per launch | added | added to a wait | to another call |\n|---|---|---|---|---|---|")
    for name, results in rows.items():
        if results:
            show(name, results)


if __name__ == "__main__":
    main()
