#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs DistributedDataParallel on the GPUs of one machine, as a test program for recorders.

    torchrun --standalone --nproc-per-node=2 --no-python \\
        autoprof run --stacks -o 'rank%q{RANK}.pftrace' -- python bench/torch/ddp.py

A wide network, whose gradients are all-reduced during the backward pass; each
rank reads its loss every 10 steps, or in every step on the ranks that --item
names; --width 512 makes the steps short. With --late each step of rank 1 (with
--late=all, of every rank) begins with two milliseconds of Python: a rank that has
just read its loss does that while its GPU is idle, and the other ranks wait for it.
With --nvtx each step is an NVTX range "step"; with --profile FOLDER torch.profiler records
steps 20 to 40 into FOLDER/rankN.json.gz. Rank 0 prints `median step X ms`.
"""
import argparse
import contextlib
import os
import pathlib
import statistics
import time

import torch
import torch.distributed


def network(width, layers):
    parts = [part for _ in range(layers) for part in (torch.nn.Linear(width, width), torch.nn.GELU())]
    return torch.nn.Sequential(*parts).cuda()


def prepare():
    """Runs Python code for about two milliseconds, like a tokenizer."""
    total = 0
    for i in range(40000):
        total += i % 7
    return total


def train(options, rank):
    model = torch.nn.parallel.DistributedDataParallel(network(options.width, 6))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    data = torch.randn(1024, options.width, device="cuda")
    mark = (lambda: torch.cuda.nvtx.range("step")) if options.nvtx else contextlib.nullcontext
    while True:
        with mark():
            if options.late == "all" or (options.late == "one" and rank == 1):
                prepare()
            optimizer.zero_grad(set_to_none=True)
            loss = torch.nn.functional.mse_loss(model(data), data)
            loss.backward()
            optimizer.step()
        yield loss


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--width", type=int, default=2048)
    parser.add_argument("--item", choices=["some", "none", "one", "all"], default="some",
                        help="who reads the loss: all ranks every 10 steps (some), nobody, rank 1 (one) or all ranks in every step")
    parser.add_argument("--late", nargs="?", choices=["one", "all"], const="one", help="who prepares each step: rank 1 (one) or all ranks")
    parser.add_argument("--nvtx", action="store_true")
    parser.add_argument("--profile", metavar="FOLDER")
    options = parser.parse_args()
    rank, local_rank = int(os.environ["RANK"]), int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    torch.distributed.init_process_group("nccl")
    torch.manual_seed(rank)
    profiler = None
    if options.profile:
        schedule = torch.profiler.schedule(wait=17, warmup=3, active=20, repeat=1)
        target = pathlib.Path(options.profile, f"rank{rank}.json.gz")
        target.parent.mkdir(parents=True, exist_ok=True)
        profiler = torch.profiler.profile(schedule=schedule, with_stack=True,
                                          on_trace_ready=lambda p: p.export_chrome_trace(str(target)))
        profiler.start()
    every = {"some": 10, "none": 0, "one": rank == 1, "all": 1}[options.item]
    steps, times = train(options, rank), []
    for number in range(options.steps):
        begin = time.perf_counter()
        loss = next(steps)
        if every and number % every == every - 1:
            loss.item()
        if profiler:
            profiler.step()
        times.append(time.perf_counter() - begin)
    torch.cuda.synchronize()
    if profiler:
        profiler.stop()
    if rank == 0:
        print(f"median step {statistics.median(times[20:]) * 1e3:.4f} ms")
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
