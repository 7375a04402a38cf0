#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures `autoprof compare` on a GPU machine: the figures of docs/compare.md.

    bench/compare/gpu.py BUILD OUT [--only NAME...] [--seconds NAME=S...] [--cpus LIST]

BUILD holds bin/autoprof, lib/libautoprof.so and
examples/mlp_train/instrumented/mlp_train. OUT gets small JSON files, which
bench/compare/tables.py reads. Nothing on the machine is changed. The parts:

  quick    checks that everything works, and measures how long one run takes
  same     one long series of runs of one program, at each width and of a
           PyTorch loop; tables.py forms comparisons of a program with itself
           from it. With several GPUs each series has its own GPU and CPUs, and
           all run at the same time
  pinned   the same, on a few CPUs (--cpus, default 2-5), at width 1024 and 128
  changes  print against deferred, and against none, with the default settings
  spin     3 % of CPU work added to each step at width 1024, ten times
  spin_pinned
           the same with both sides on one CPU
  differ   causes of differences between runs: a short series for each cause

--seconds limits a part, as in same=600: its programs share that time.
"""
import argparse
import concurrent.futures
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
# Features, batch, steps: each run takes a fraction of a second once CUDA is up.
WIDTHS = {128: (128, 1000), 1024: (128, 600), 4096: (512, 100)}
SECONDS = {"quick": 60, "same": 520, "pinned": 120, "changes": 240, "spin": 520, "spin_pinned": 520, "differ": 390}
PARTS = list(SECONDS)
TORCH_STEP = "--step=range:train_step"


def correlation(runs):
    """The correlation of the logarithms of step time and launch cost, within the sides; None if unknown."""
    pairs = []
    for side in ("base", "new"):
        known = [(math.log(r["launch_ns"]), math.log(r["time_ns"])) for r in runs if r["side"] == side and r.get("launch_ns")]
        if len(known) > 1:
            means = [statistics.mean(values) for values in zip(*known)]
            pairs += [(cost - means[0], time - means[1]) for cost, time in known]
    try:
        return statistics.correlation(*zip(*pairs)) if len(pairs) > 3 else None
    except statistics.StatisticsError:
        return None


def describe(result):
    """The result with and without adjustment for launch cost, in one line."""
    r = result["result"]
    if not r:
        return "too few runs"
    text = f"{r['verdict']} ({r['basis']}), change {100 * r['change']:+.2f} %, spread {100 * r['base_spread']:.2f} %"
    a, u = r["adjustment"], r["unadjusted"]
    if a:
        text += (f"; unadjusted {100 * u['change']:+.2f} % {'claimed' if u['significant'] else 'not claimed'}, "
                 f"adjusted {100 * a['change']:+.2f} % {'claimed' if a['significant'] else 'not claimed'}, "
                 f"slope {a['slope']:.2f}, spread {100 * a['spread']:.2f} %")
    found = correlation(result["runs"])
    costs = [run["launch_ns"] for run in result["runs"] if run["launch_ns"]]
    if costs:
        text += f"; launch {min(costs)} to {max(costs)} ns"
    if found is not None:
        text += f", correlation with step {found:.2f}"
    return text


class Bench:
    def __init__(self, build, out, cpus):
        self.build, self.out, self.cpus = os.path.abspath(build), os.path.abspath(out), cpus
        os.makedirs(self.out, exist_ok=True)
        self.autoprof = os.path.join(self.build, "bin", "autoprof")
        self.scratch = "/tmp/autoprof-compare-bench-"

    def mlp(self, width, *options):
        batch, steps = WIDTHS[width]
        program = os.path.join(self.build, "examples", "mlp_train", "instrumented", "mlp_train")
        return [program, "--width", str(width), "--layers", "4", "--batch", str(batch), "--steps", str(steps), *options]

    def torch(self):
        return [sys.executable, os.path.join(HERE, "torch_loop.py"), "200"]

    def compare(self, name, options, *commands, before=()):
        """Runs one comparison; writes its file to OUT as NAME.json, with the time it took."""
        scratch = self.scratch + name
        shutil.rmtree(scratch, ignore_errors=True)
        command = [*before, self.autoprof, "compare", "-o", scratch, "--format=json", *options]
        for one in commands:
            command += ["--", *one]
        begin = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True)
        seconds = time.monotonic() - begin
        if done.returncode > 1:
            print(f"{name}: exit code {done.returncode}: {done.stderr.strip()}", flush=True)
            return None
        result = json.loads(done.stdout)
        result["bench"] = {"name": name, "seconds": round(seconds, 2), "options": options}
        with open(os.path.join(self.out, name + ".json"), "w", encoding="utf-8") as file:
            json.dump(result, file, indent=None, separators=(",", ":"))
        print(f"{name}: {len(result['runs'])} runs in {seconds:.1f} s, {describe(result)}", flush=True)
        return result

    def keep_recordings(self, name):
        """Keeps the recordings of the last comparison, compressed."""
        for side in ("base", "new"):
            path = os.path.join(self.scratch + name, side + ".pftrace")
            if os.path.exists(path):
                subprocess.run(f"gzip -9nc {path} > {self.out}/{name}_{side}.pftrace.gz", shell=True, check=True)


def series(bench, name, seconds, command, *options, before=()):
    """Makes as many runs of one program as fit, in turn on both sides."""
    return bench.compare(name, ["--self-test", "-n", "1000", "--min-runs=1000", f"--time={seconds}s", *options], command,
                         before=before)


def quick(bench, _):
    subprocess.run("nvidia-smi -L; nproc; lscpu | grep -E 'Model name|NUMA|Thread|Socket'; cat /sys/kernel/mm/transparent_hugepage/enabled",
                   shell=True, check=False)
    subprocess.run([bench.autoprof, "--version"], check=True)
    for width in WIDTHS:
        bench.compare(f"quick_{width}", ["--self-test", "-n", "6"], bench.mlp(width, "--loss", "print"))
    bench.compare("quick_torch", ["--self-test", "-n", "2", TORCH_STEP], bench.torch())


def gpus():
    listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=True)
    return len(listed.stdout.splitlines())


def same(bench, seconds):
    commands = {f"same_{width}": (bench.mlp(width, "--loss", "print"), []) for width in WIDTHS}
    commands["same_torch"] = (bench.torch(), [TORCH_STEP])
    if gpus() < len(commands):
        # PyTorch starts slowly, so it gets the largest share.
        for name, (command, options) in commands.items():
            series(bench, name, int(seconds * (0.31 if name == "same_torch" else 0.23)), command, *options)
        return
    cpus = sorted(os.sched_getaffinity(0))
    each = len(cpus) // len(commands)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for i, (name, (command, options)) in enumerate(commands.items()):
            own = ",".join(map(str, cpus[i * each : (i + 1) * each]))
            pool.submit(series, bench, name, seconds, command, *options, f"--env=CUDA_VISIBLE_DEVICES={i}", before=["taskset", "-c", own])


def pinned(bench, seconds):
    for width in (1024, 128):
        series(bench, f"pinned_{width}", seconds // 2, bench.mlp(width, "--loss", "print"), before=on(bench.cpus))


def changes(bench, seconds):
    for width in WIDTHS:
        for other in ("deferred", "none"):
            name = f"print_{other}_{width}"
            bench.compare(name, [f"--time={seconds // 6}s"], bench.mlp(width, "--loss", "print"),
                          bench.mlp(width, "--loss", other))
            if other == "deferred":
                bench.keep_recordings(name)


def on(cpus):
    return ["taskset", "-c", cpus]


def spin(bench, seconds, name="spin", before=()):
    # The spin is 3 % of the unrecorded step, measured here.
    step = bench.compare(name + "_step", ["--self-test", "-n", "6"], bench.mlp(1024, "--loss", "print"), before=before)
    microseconds = round(0.03 * step["result"]["base_median_ns"] / 1000)
    for i in range(10):
        bench.compare(f"{name}_{i}", [f"--time={seconds // 10}s"], bench.mlp(1024, "--loss", "print"),
                      bench.mlp(1024, "--loss", "print", "--spin", str(microseconds)), before=before)


def spin_pinned(bench, seconds):
    spin(bench, seconds, "spin_pinned", on("2"))


def differ(bench, seconds):
    """Makes series that differ in one cause. Alternating runs would be better, but
    each series needs its own way to start the program."""
    command = bench.mlp(128, "--loss", "print")
    few = str(max(6, seconds // 32))
    runs = ["--self-test", "-n", few]
    subprocess.run("cat /sys/devices/system/cpu/cpu2/topology/thread_siblings_list /sys/bus/pci/devices/*/numa_node | sort | uniq -c",
                   shell=True, check=False)
    bench.compare("differ_free", runs, command)
    bench.compare("differ_one_cpu", runs, command, before=on("2"))
    bench.compare("differ_two_cpus", runs, command, before=on("2-3"))
    bench.compare("differ_four_cpus", runs, command, before=on("2-5"))
    last = len(os.sched_getaffinity(0)) - 1
    bench.compare("differ_other_end", runs, command, before=on(f"{last - 3}-{last}"))
    if shutil.which("setarch"):
        bench.compare("differ_no_aslr", runs, command, before=["setarch", "-R"])
        bench.compare("differ_no_aslr_two_cpus", runs, command, before=["setarch", "-R", *on("2-3")])
    bench.compare("differ_malloc_huge", [*runs, "--env=GLIBC_TUNABLES=glibc.malloc.hugetlb=1"], command)
    bench.compare("differ_eager_modules", [*runs, "--env=CUDA_MODULE_LOADING=EAGER"], command)
    # The spread that the recorder itself adds: runs under full recording, as for diff.
    times = []
    for i in range(int(few)):
        path = f"/tmp/autoprof-differ-{i}.pftrace"
        subprocess.run([bench.autoprof, "run", "-o", path, "--", *command], capture_output=True, check=True)
        report = subprocess.run([bench.autoprof, "report", "--format=json", path], capture_output=True, check=True)
        times.append(json.loads(report.stdout)["steps"]["median_ns"])
        os.unlink(path)
    with open(os.path.join(bench.out, "differ_recorded.json"), "w", encoding="utf-8") as file:
        json.dump({"recorded_step_median_ns": times}, file)
    print("recorded:", times, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("out")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--seconds", nargs="+", default=[])
    parser.add_argument("--cpus", default="2-5")
    arguments = parser.parse_args()
    seconds = {**SECONDS, **{k: int(v) for k, v in (s.split("=") for s in arguments.seconds)}}
    bench = Bench(arguments.build, arguments.out, arguments.cpus)
    for part in arguments.only:
        begin = time.monotonic()
        globals()[part](bench, seconds[part])
        print(f"-- {part}: {time.monotonic() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main()
