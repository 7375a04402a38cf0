#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training loops in PyTorch, one for each regime, as test programs for recorders.

    bench/torch/loops.py LOOP [--steps N] [--nvtx] [--profile FILE [--with-stack]]

gpu     a wide network: the GPU is the limit; the loss is read every 10 steps
launch  many small layers: launching is the limit; nothing is read
cpu     the batch is prepared in Python: the CPU is the limit; the loss is read in each step
data    batches from a DataLoader with workers, copied from pageable memory, and a boolean mask
graph   the step of `launch`, replayed as a CUDA graph
phases  `launch` with an evaluation every 20 steps

With --nvtx each step is an NVTX range "step"; with --profile torch.profiler
records all steps but the first ten. Prints `median step X ms`.
"""
import argparse
import contextlib
import statistics
import time

import torch

REGIMES = ["gpu", "launch", "cpu", "data", "graph", "phases"]


def network(width, layers):
    parts = [part for _ in range(layers) for part in (torch.nn.Linear(width, width), torch.nn.GELU())]
    return torch.nn.Sequential(*parts).cuda()


class Trainer:
    def __init__(self, width, layers, batch):
        self.model = network(width, layers)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01)
        self.data = torch.randn(batch, width, device="cuda")

    def train(self, data):
        self.optimizer.zero_grad(set_to_none=True)
        loss = torch.nn.functional.mse_loss(self.model(data), data)
        loss.backward()
        self.optimizer.step()
        return loss


def gpu_steps():
    trainer, number = Trainer(4096, 8, 2048), 0
    while True:
        loss = trainer.train(trainer.data)
        if number % 10 == 9:
            loss.item()
        number += 1
        yield


def launch_steps():
    trainer = Trainer(128, 16, 128)
    while True:
        trainer.train(trainer.data)
        yield


def prepare(number, batch, width):
    """Runs Python code for about two milliseconds, like a tokenizer or an augmentation."""
    total = 0
    for i in range(40000):
        total += (i * number) % 7
    return torch.full((batch, width), float(total % 5))


def cpu_steps():
    trainer, number = Trainer(512, 4, 128), 1
    while True:
        data = prepare(number, 128, 512)
        loss = trainer.train(data.cuda())
        loss.item()
        number += 1
        yield


class Rows(torch.utils.data.Dataset):
    def __len__(self):
        return 100000

    def __getitem__(self, index):
        return torch.full((512,), float(index % 7))


def data_steps():
    trainer = Trainer(512, 8, 256)
    for rows in torch.utils.data.DataLoader(Rows(), batch_size=256, num_workers=4):
        data = rows.to("cuda")
        kept = data[data[:, 0] > 1.0]
        trainer.train(kept)
        yield


def graph_steps():
    trainer = Trainer(128, 16, 128)
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            trainer.train(trainer.data)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        loss = trainer.train(trainer.data)
    while True:
        graph.replay()
        loss.item()
        yield


def phases_steps():
    trainer, number = Trainer(128, 8, 128), 0
    while True:
        trainer.train(trainer.data)
        if number % 20 == 19:
            with torch.no_grad():
                for _ in range(5):
                    error = torch.nn.functional.mse_loss(trainer.model(trainer.data), trainer.data)
            error.item()
        number += 1
        yield


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("loop", choices=REGIMES)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--nvtx", action="store_true")
    parser.add_argument("--profile", metavar="FILE")
    parser.add_argument("--with-stack", action="store_true")
    options = parser.parse_args()
    torch.manual_seed(1)
    steps = globals()[f"{options.loop}_steps"]()
    mark = (lambda: torch.cuda.nvtx.range("step")) if options.nvtx else contextlib.nullcontext
    times = []

    def run(count):
        for _ in range(count):
            begin = time.perf_counter()
            with mark():
                next(steps)
            times.append(time.perf_counter() - begin)

    run(10)
    if options.profile:
        with torch.profiler.profile(with_stack=options.with_stack) as profiler:
            run(options.steps - 10)
            torch.cuda.synchronize()
        profiler.export_chrome_trace(options.profile)
    else:
        run(options.steps - 10)
    torch.cuda.synchronize()
    print(f"median step {statistics.median(times[10:]) * 1e3:.4f} ms")


if __name__ == "__main__":
    main()
