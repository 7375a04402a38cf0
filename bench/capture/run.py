#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how well `capture` predicts: loops as they are and captured as CUDA graphs, on a GPU.

    bench/capture/run.py BUILD [--torch PYTHON]

For each loop: the recorded eager loop's prediction (what_if, `capture`), the
unrecorded eager step, and the unrecorded captured step. The loops in C++ are
loop.cu, which nvcc compiles; those in PyTorch are this file with --worker.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TORCH = {"torch_d64_l8": (64, 8, 64), "torch_d256_l16": (256, 16, 256), "torch_d512_l32": (512, 32, 256),
         "torch_d128_l12": (128, 12, 512), "torch_d1024_l6": (1024, 6, 128)}
CPP = {"cpp_k20_n4096": (20, 4096), "cpp_k100_n65536": (100, 65536), "cpp_k400_n262144": (400, 262144),
       "cpp_k50_n16384": (50, 16384), "cpp_k200_n1048576": (200, 1048576)}
STEPS = 200


def worker(name, how):
    import torch
    width, layers, batch = TORCH[name]
    torch.manual_seed(1)
    parts = [part for _ in range(layers) for part in (torch.nn.Linear(width, width), torch.nn.GELU())]
    model = torch.nn.Sequential(*parts).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    data = torch.randn(batch, width, device="cuda")

    def step():
        optimizer.zero_grad(set_to_none=True)
        torch.nn.functional.mse_loss(model(data), data).backward()
        optimizer.step()

    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(5):
            step()
    side.synchronize()
    run = step
    if how == "captured":
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            step()
        run = graph.replay
    times = []
    for _ in range(4):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(STEPS // 4):
            run()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - begin) / (STEPS // 4))
    print(f"step {statistics.median(times) * 1e6:.2f} us")


def output(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def step_of(command):
    return float(re.search(r"step ([0-9.]+) us", output(command)).group(1))


def measure(autoprof, name, command, scratch):
    trace = os.path.join(scratch, f"{name}.pftrace")
    output([autoprof, "run", "--mode=full", "-o", trace, "--", *command("eager")])
    report = json.loads(output([autoprof, "report", "--format=json", trace]))
    found = [row for row in report["what_if"] if row["question"] == "capture"]
    eager, captured = step_of(command("eager")), step_of(command("captured"))
    recorded = (report["steps"]["median_ns"] or 0) / 1e3
    if not found:
        print(f"| {name} | {recorded:.1f} | {eager:.1f} | - | {captured:.1f} | no prediction |", flush=True)
        return
    low, high = found[0]["step_low_ns"] / 1e3, found[0]["step_high_ns"] / 1e3
    middle = (low + high) / 2
    print(f"| {name} | {recorded:.1f} | {eager:.1f} | {low:.1f} to {high:.1f} | {captured:.1f} | {middle / captured - 1:+.1%}"
          f"{'' if low <= captured <= high else ', outside'} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("how", nargs="?", help=argparse.SUPPRESS)
    parser.add_argument("--torch", metavar="PYTHON")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        return worker(options.build, options.how)
    autoprof = os.path.join(os.path.abspath(options.build), "bin", "autoprof")
    print("| loop | recorded step, us | eager, us | captured, predicted, us | captured, us | middle / measured |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        loop = os.path.join(scratch, "loop")
        output(["nvcc", "-O2", "-std=c++17", "-arch=native", os.path.join(HERE, "loop.cu"), "-o", loop])
        for name, (kernels, elements) in CPP.items():
            measure(autoprof, name, lambda how: [loop, how, str(kernels), str(elements), str(STEPS)], scratch)
        for name in TORCH if options.torch else ():
            measure(autoprof, name, lambda how: [options.torch, __file__, "--worker", name, how], scratch)


if __name__ == "__main__":
    main()
