# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A launch-bound training loop that reads its loss in each step, for programs.py.

    python3 torch_loop.py STEPS [cuda|cpu+cuda] [graph]

Prints `ready` when everything is imported and warm, waits for a line on
standard input, and prints `median step X ms`. With a second argument
torch.profiler (Kineto) records the steps: GPU work and CUDA calls, or
operators, too. With `graph` each step is the replay of a CUDA graph.
"""
import contextlib
import statistics
import sys
import time

import torch
from torch.profiler import ProfilerActivity, profile

KINETO = {"cuda": [ProfilerActivity.CUDA], "cpu+cuda": [ProfilerActivity.CPU, ProfilerActivity.CUDA]}
WARM_UP = 20


def captured(train):
    """Captures `train` as a CUDA graph; returns a function that launches it."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            train()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        loss = train()

    def replay():
        graph.replay()
        return loss

    return replay


def main():
    steps, words = int(sys.argv[1]), sys.argv[2:]
    activities = [KINETO[word] for word in words if word in KINETO]
    torch.manual_seed(1)
    model = torch.nn.Sequential(*[layer for _ in range(4) for layer in (torch.nn.Linear(128, 128), torch.nn.GELU())]).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    data = torch.randn(128, 128, device="cuda")

    def train():
        optimizer.zero_grad(set_to_none=True)
        loss = torch.nn.functional.mse_loss(model(data), data)
        loss.backward()
        optimizer.step()
        return loss

    launch = captured(train) if "graph" in words else train

    def step():
        return launch().item()

    for _ in range(WARM_UP):
        step()
    print("ready", flush=True)
    sys.stdin.readline()
    with profile(activities=activities[0]) if activities else contextlib.nullcontext():
        times = []
        for _ in range(WARM_UP + steps):
            begin = time.perf_counter()
            step()
            times.append(time.perf_counter() - begin)
    print(f"median step {statistics.median(times[WARM_UP:]) * 1e3:.4f} ms", flush=True)


if __name__ == "__main__":
    main()
