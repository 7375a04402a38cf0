# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch training loops that read their loss in each step, and that do not.

    python3 torch_pairs.py CASE before|after|both [STEPS [ROUNDS]]

Prints the time per step, as the programs in C++ do (main.cu).
"""
import sys
import time

import torch

# Width, layers, batch; whether the step is replayed as a CUDA graph.
CASES = {
    "torch_w128": (128, 8, 128, False),
    "torch_w1024": (1024, 8, 512, False),
    "torch_w4096": (4096, 6, 2048, False),
    "torch_graph_w128": (128, 8, 128, True),
    "torch_graph_w1024": (1024, 8, 512, True),
}


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


def training(width, layers, batch, as_graph):
    torch.manual_seed(1)
    parts = [part for _ in range(layers) for part in (torch.nn.Linear(width, width), torch.nn.GELU())]
    model = torch.nn.Sequential(*parts).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    data = torch.randn(batch, width, device="cuda")

    def train():
        optimizer.zero_grad(set_to_none=True)
        loss = torch.nn.functional.mse_loss(model(data), data)
        loss.backward()
        optimizer.step()
        return loss

    return captured(train) if as_graph else train


def step_ns(train, before, steps):
    warm_up = max(steps // 10, 5)
    for number in range(warm_up + steps):
        if number == warm_up:
            torch.cuda.synchronize()
            begin = time.perf_counter()
        with torch.cuda.nvtx.range("step"):
            loss = train()
            if before:
                loss.item()
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / steps * 1e9


def main():
    name, form, *numbers = sys.argv[1:]
    steps, rounds = ([int(number) for number in numbers] + [1000, 1][len(numbers):])
    train = training(*CASES[name])
    for _ in range(rounds):
        for each in ("before", "after"):
            if form in (each, "both"):
                print(f"{each} {step_ns(train, each == 'before', steps):.1f}", flush=True)


if __name__ == "__main__":
    main()
