# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A PyTorch training loop that reads its loss in each step: torch_loop.py eager|compiled STEPS"""
import sys

import torch
from steps import Steps

form, count = sys.argv[1], int(sys.argv[2])
torch.manual_seed(0)
model = torch.nn.Sequential(*[layer for _ in range(8) for layer in (torch.nn.Linear(256, 256), torch.nn.GELU(), torch.nn.LayerNorm(256))]).cuda()
data = torch.randn(128, 256, device="cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, foreach=form == "compiled")


def loss_of(inputs):
    return torch.nn.functional.mse_loss(model(inputs), inputs)


if form == "compiled":
    loss_of = torch.compile(loss_of)


def train():
    optimizer.zero_grad(set_to_none=True)
    loss = loss_of(data)
    loss.backward()
    optimizer.step()
    return loss.item()


for _ in range(10):
    train()
steps = Steps(count, torch.cuda.synchronize)
for _ in range(count):
    steps.begin()
    train()
steps.begin()
