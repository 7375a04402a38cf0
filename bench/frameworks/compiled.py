# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compiled model that reads a value in the middle, which breaks its graph; after: it does not read."""
import torch
from clock import BEFORE, Clock


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Sequential(*[layer for _ in range(6) for layer in (torch.nn.Linear(512, 512), torch.nn.GELU())])
        self.second = torch.nn.Sequential(*[layer for _ in range(6) for layer in (torch.nn.Linear(512, 512), torch.nn.GELU())])

    def forward(self, x):
        y = self.first(x)
        scale = y.abs().max().item() if BEFORE else y.abs().max()
        return self.second(y / (scale + 1.0))


torch.manual_seed(0)
model = Net().cuda()
compiled = torch.compile(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, foreach=True)
data = torch.randn(256, 512, device="cuda")
clock = Clock(torch.cuda.synchronize)
for _ in range(200):
    optimizer.zero_grad(set_to_none=True)
    loss = torch.nn.functional.mse_loss(compiled(data), data)
    loss.backward()
    optimizer.step()
    clock.tick()
