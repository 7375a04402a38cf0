# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""faults.py RUNTIME AUTOPROF: runs programs of this folder while calls of the
runtime fail (faults.cpp), or while they do to themselves what a recorder has to
put up with (guest.cpp). The program must print and return what it does alone,
within the time, and the trace must be readable, or absent with a line. Prints
the number of runs and what went wrong."""
import collections
import concurrent.futures
import glob
import os
import re
import subprocess
import sys

runtime, autoprof = sys.argv[1:]
MOST_LINES = 2  # For the fault, and for what it left unrecorded.
KINDS = "alloc write mmap thread dlopen dlsym open file cupti".split()
LAUNCHES = {"FAKE_CUPTI": "launches"}
RING = {"AUTOPROF_MAX_SIZE": "1M"}


def run(folder, command, variables):
    """Exit status, output and lines on stderr of a run in a folder of its own."""
    os.makedirs(folder + "/jail", exist_ok=True)
    command = [os.path.abspath(command[0])] + command[1:]
    environment = dict(os.environ, LD_LIBRARY_PATH=os.getcwd(), **variables)
    try:
        done = subprocess.run(command, env=environment, cwd=folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=30, check=False)
    except subprocess.TimeoutExpired as late:
        return "hung", late.stdout or b"", late.stderr or b""
    return done.returncode, done.stdout, done.stderr


def recorded(folder, command, variables, fault=""):
    preload = "%s %s" % (os.path.abspath("faults.so"), runtime)
    return run(folder, command, dict({"AUTOPROF_OUTPUT": "t.pftrace", "AUTOPROF_NAMED_LATER": "1",
                                      "LD_PRELOAD": preload, "FAULT": fault,
                                      "FAULT_COUNTS": os.path.abspath(folder + "/counts")}, **variables))


def problems(folder, alone, result, title=b""):
    """What is wrong with a recorded run; title: what a report begins with."""
    if result[:2] != alone[:2]:
        yield "ended with %s, printed %s" % (result[0], "the same" if result[1] == alone[1] else "something else")
    lines = result[2].decode().splitlines()
    if any(not line.startswith("autoprof: ") for line in lines) or len(lines) > MOST_LINES:
        yield "said " + " / ".join(lines)
    traces = glob.glob(folder + "/t*pftrace")
    if not traces and not lines:
        yield "neither a trace nor a line"
    for trace in traces:
        read = subprocess.run([autoprof, "report", trace], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if title not in read.stdout.replace(b"\n", b" "):
            yield "unnamed"
        if read.returncode not in (0, 1):
            yield "unreadable: " + read.stderr.decode().replace(folder, "")


def counts(folder):
    with open(folder + "/counts") as file:
        return {kind: int(number) for kind, number in (line.split() for line in file)}


def faults(calls, most):
    for kind in KINDS:
        step = max(1, -(-calls[kind] // most))
        for number in range(1, calls[kind] + 1, step):
            yield "%s:%d" % (kind, number)
            yield "%s:%d+" % (kind, number)


def check(pool, name, command, variables, most):
    """Each call of the runtime fails in turn; of many, every so manyth."""
    alone = run(name + "/alone", command, {})
    whole = recorded(name + "/whole", command, variables)
    chosen = list(faults(counts(name + "/whole"), most))

    def one(fault):
        folder = name + "/" + fault.replace(":", "-")
        return list(problems(folder, alone, recorded(folder, command, variables, fault)))
    found = collections.Counter()
    first = {}
    for fault, wrong in zip([""] + chosen, [list(problems(name + "/whole", alone, whole))] + list(pool.map(one, chosen))):
        for text in wrong:
            text = re.sub(r"\d{3,}", "N", text)
            found[text] += 1
            first.setdefault(text, fault)
    print("%s: %d faults, %d problems" % (name, len(chosen), sum(found.values())))
    for text, number in found.items():
        print("  %s: %d times, as with %s" % (text.strip(), number, first[text]))


def guest(what):
    variables = RING if what.startswith("ring-") else {}
    command = ["guest", what.replace("ring-", "")]
    alone = run("guests/%s-alone" % what, command, {})
    folder = "guests/" + what
    wrong = list(problems(folder, alone, recorded(folder, command, variables), b"/guest "))
    return what + ": " + ("; ".join(wrong) or "as alone")


def main():
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        check(pool, "steps", ["window", "steps"], LAUNCHES, 150)
        check(pool, "copies", ["window", "copies"], dict(
            LAUNCHES, AUTOPROF_MODE="full+stacks", AUTOPROF_COMPRESS="1", AUTOPROF_ATTACH="1"), 25)
        check(pool, "ring", ["guest", "plain"], RING, 2)
        privileged = ["drop", "chroot", "ring-drop", "ring-chroot"] if os.geteuid() == 0 else []
        for line in pool.map(guest, ["vfork", "system", "own-files", "storm", "few-files", "no-memory",
                                     "no-more-memory"] + privileged):
            print(line)


main()
