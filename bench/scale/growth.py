# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the time and memory of reports, comparisons, checks, patches and audits grow with
their input:

    growth.py BUILD [--large] [--only=NAME]... [--save]

Each case has three sizes, each four times the one before; with --large, which takes half an hour,
six, of the cases in LARGE: up to 10 million events, 10,240 ranks and 5,120 files. Time is
the least CPU time of three runs, or of those within 20 s; `grows` is the p of a + b * size^p
through the last three sizes. Compared are the figures in growth.json, if the CPU is the
same: a case is worse if its largest size takes 1.3 times as long and 0.05 s more, or 1.15
times the memory, or if it grows faster by 0.3. Then the exit code is 1. --save makes these
figures the ones to compare with.
"""
import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
STORED = HERE / "growth.json"
LOOP = "for (int i = 0; i < 10; ++i) { k<<<1, 1>>>(); %s }\n"


def simulate(tools, name, steps, *more):
    subprocess.run([tools.simulate, name, "print", str(steps), "50", "5000", *more], check=True, stdout=subprocess.DEVNULL)


def simulated(tools, steps, _):
    """A recording of steps of 50 kernels, 154 events each."""
    simulate(tools, "t.pftrace", steps)
    return ["t.pftrace"]


def twice(tools, steps, _):
    return simulated(tools, steps, _) * 2


def checked(tools, count, what):
    """Runs of 100 steps, or one of many, and a baseline of as many."""
    runs = [f"run{run}.pftrace" for run in range(2 * count if what == "runs" else 2)]
    for seed, run in enumerate(runs):
        simulate(tools, run, 100 if what == "runs" else count, "jitter=0.02", f"seed={seed}")
    half = len(runs) // 2
    subprocess.run([tools.autoprof, "check", "--update", "--baseline=base", *runs[:half]], check=True, stdout=subprocess.DEVNULL)
    return ["--baseline=base", *runs[half:]]


def summaries(tools, ranks, _):
    simulate(tools, "r.pftrace", 100)
    one = subprocess.run([tools.autoprof, "summarize", "r.pftrace"], check=True, capture_output=True).stdout
    subprocess.run([sys.executable, HERE / "generate.py", str(ranks), f"ranks{ranks}"], input=one, check=True)
    return [f"ranks{ranks}"]


def launches(_, count, what):
    """A Chrome trace of launches, each with a stream, thread, kernel or range of its own."""
    events, time = [], 0

    def add(category, name, start, length, thread, **arguments):
        events.append({"ph": "X", "cat": category, "name": name, "pid": 1, "tid": thread, "ts": start, "dur": length,
                       "args": arguments})

    for i in range(count):
        own = lambda kind: i if kind == what else 0
        if what == "ranges":
            add("user_annotation", f"range {i}", time, 9, 1)
        add("cuda_runtime", "cudaLaunchKernel", time, 3, 1 + own("threads"), correlation=2 * i)
        add("kernel", f"kernel {own('kernels')}", time + 5, 4, 7 + own("streams"), correlation=2 * i, device=0, context=1,
            stream=7 + own("streams"))
        if what == "waits" or i % 100 == 99:
            add("cuda_runtime", "cudaDeviceSynchronize", time + 4, 8, 1, correlation=2 * i + 1)
        time += 20
    with open("t.json", "w") as file:
        json.dump({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "H100"}], "traceEvents": events}, file)
    return ["t.json"]


def source(_, count, what):
    """A loop, or a chain of functions, with so many of one thing."""
    text = "#include <cuda_runtime.h>\n__global__ void k() {}\nbool f(int);\n"
    if what == "terms":
        condition = " && ".join(f"a != {n}" for n in range(count))
        text += "void g(int a) { " + LOOP % f"if ({condition}) cudaDeviceSynchronize();" + "}"
    elif what == "branches":
        text += "void g(int a) { " + LOOP % "\n".join(f"if (f({n})) cudaDeviceSynchronize();" for n in range(count)) + "}"
    elif what == "launches":
        text += "void g(int a) { " + LOOP % "\n".join("k<<<1, 1>>>(); cudaDeviceSynchronize();" for n in range(count)) + "}"
    elif what == "functions":
        text += "\n".join(f"void g{n}(int a) {{ " + LOOP % "cudaDeviceSynchronize();" + "}" for n in range(count))
        text += "\nint main() { " + " ".join(f"g{n}(1);" for n in range(count)) + "}"
    else:
        text += f"void g{count}(int a) {{ k<<<1, 1>>>(); cudaDeviceSynchronize(); }}\n"
        text += "\n".join(f"void g{n}(int a) {{ if (f(a)) g{n + 1}(a); else g{n + 1}(a + 1); }}" for n in reversed(range(count)))
        text += "\nint main() { " + LOOP % "g0(i);" + "}"
    pathlib.Path("t.cu").write_text(text)
    return ["t.cu"]


def files(_, count, __):
    folder = pathlib.Path(f"files{count}")
    folder.mkdir()
    for n in range(count):
        (folder / f"{n}.cu").write_text(f"__global__ void k() {{}}\nvoid g{n}() {{ {LOOP % 'cudaDeviceSynchronize();'} }}\n")
    return [str(folder)]


def tried(tools, count, what):
    """A try.json with so many changes that gained time, and the source of their calls."""
    call = "k<<<1, 1>>>(); cudaDeviceSynchronize(); cudaMemcpy(to, from, 64, cudaMemcpyDeviceToHost);"
    lines = ["#include <cuda_runtime.h>", "__global__ void k() {}", "void g(char *to, char *from, int n) {",
             "for (int i = 0; i < n; ++i) {", *[call] * count, "}", "}"]
    pathlib.Path("t.cu").write_text("\n".join(lines) + "\n")
    places = [f"t.cu:{n}:cudaDeviceSynchronize" for n, line in enumerate(lines, 1) if line == call]
    root = HERE.parent.parent
    with open("try.json", "w") as file:
        subprocess.run([sys.executable, root / "test/try/Inputs/tried.py", root, *places], check=True, stdout=file)
    if what == "patches":
        pathlib.Path("compile_commands.json").write_text(json.dumps(
            [{"directory": os.getcwd(), "file": "t.cu", "command": "nvcc -c t.cu"}]))
        return []
    return simulated(tools, 100, what)


REPORT, DIFF, AUDIT = ["report", "--format=json"], ["diff", "--format=json"], ["audit", "--no-cache", "-j1", "--fail-on=never"]
CASES = [("report", "steps", REPORT, simulated, 1000), ("diff", "steps", DIFF, twice, 1000),
         ("report", "ranks", REPORT, summaries, 625)]
CASES += [("report", what, REPORT, launches, 5000) for what in ("streams", "threads", "kernels", "ranges", "waits")]
CASES += [("check", "steps", ["check"], checked, 1000), ("check", "runs", ["check"], checked, 16)]
CASES += [("report", "changes", [*REPORT, "--try=try.json"], tried, 250),
          ("try", "patches", ["try", "--from=try.json", "--patch=out.patch"], tried, 250)]
CASES += [("audit", what, AUDIT, source, 250) for what in ("terms", "branches", "launches", "functions", "calls")]
CASES += [("audit", "files", AUDIT, files, 5)]
LARGE = {"report steps": 64, "diff steps": 64, "check steps": 64, "report ranks": 10, "audit files": 5}


def measure(command):
    """CPU seconds and MB."""
    best, memory, end = math.inf, 0, time.monotonic() + 20
    for run in range(3):
        if run and time.monotonic() > end:
            break
        with open("out", "wb") as out:
            process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
            _, status, used = os.wait4(process.pid, 0)
        if status:
            sys.exit(f"{' '.join(command)} failed: " + pathlib.Path("out").read_text(errors="replace")[-300:])
        best = min(best, used.ru_utime + used.ru_stime)
        memory = max(memory, used.ru_maxrss / 1e3)
    return best, memory


def growth(values, least):
    first, second = values[-2] - values[-3], values[-1] - values[-2]
    return round(math.log(second / first, 4), 2) if first >= least and second > 0 else None


def worse(new, old, same_cpu):
    slow = same_cpu and new["seconds"] > max(1.3 * old["seconds"], old["seconds"] + 0.05)
    steep = None not in (new["grows"], old["grows"]) and new["grows"] > max(1, old["grows"]) + 0.3
    return slow or steep or new["mb"] > 1.15 * old["mb"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    options.autoprof = str((options.build / "bin/autoprof").resolve())
    options.simulate = str((options.build / "test/autoprof-simulate").resolve())
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "")
    stored = json.loads(STORED.read_text()) if STORED.exists() else {"cpu": "", "cases": {}}
    found, failed = {}, False
    print(f"{'case':<22}{'size':>8}{'CPU, s':>10}{'memory, MB':>12}{'grows':>7}{'memory':>8}")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ProcessPoolExecutor(1) as maker:
        # Not in this process, whose memory counts as that of the ones it starts.
        maker.submit(os.chdir, folder).result()
        os.chdir(folder)
        for command, what, arguments, make, least in CASES:
            name = f"{command} {what}"
            if (options.only and name not in options.only) or (options.large and name not in LARGE):
                continue
            sizes = [LARGE[name] * 4**n for n in range(6)] if options.large else [least, 4 * least, 16 * least]
            name += ", large" * options.large
            times, memory = [], []
            for size in sizes:
                took, mb = measure([options.autoprof, *arguments, *maker.submit(make, options, size, what).result()])
                times.append(took)
                memory.append(mb)
                print(f"{name:<22}{size:>8,}{took:>10.2f}{mb:>12.0f}", end="\n" if size != sizes[-1] else "", flush=True)
            found[name] = new = {"seconds": round(times[-1], 3), "mb": round(memory[-1], 1), "grows": growth(times, 0.01)}
            last = stored["cases"].get(name, new)
            bad = worse(new, last, cpu == stored["cpu"])
            failed |= bad
            print(f"{new['grows'] if new['grows'] is not None else '-':>7}{growth(memory, 1) or '-':>8}"
                  + (f"  worse than {last}" if bad else ""), flush=True)
    if options.save:
        STORED.write_text(json.dumps({"cpu": cpu, "cases": {**stored["cases"], **found}}, indent=1) + "\n")
    sys.exit(failed)


main()
