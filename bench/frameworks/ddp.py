# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DistributedDataParallel on two GPUs, whose ranks read their loss and accuracy in each step; after: every 50 steps."""
import os

import torch
import torch.distributed
from clock import BEFORE, Clock

torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
torch.distributed.init_process_group("nccl")
torch.manual_seed(0)
net = torch.nn.Sequential(*[layer for _ in range(6) for layer in (torch.nn.Linear(1024, 1024), torch.nn.ReLU())], torch.nn.Linear(1024, 10)).cuda()
model = torch.nn.parallel.DistributedDataParallel(net)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
data, labels = torch.randn(256, 1024, device="cuda"), torch.randint(0, 10, (256,), device="cuda")
log, clock = [], Clock(torch.cuda.synchronize)
for number in range(200):
    scores = model(data)
    loss = torch.nn.functional.cross_entropy(scores, labels)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    accuracy = (scores.argmax(dim=1) == labels).float().mean()
    if BEFORE or number % 50 == 0:
        log.append((loss.item(), accuracy.item()))
    clock.tick()
torch.distributed.destroy_process_group()
