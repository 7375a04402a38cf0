# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A launch-bound PyTorch training loop whose steps are NVTX ranges.

    python3 torch_loop.py STEPS
"""
import sys

import torch


def main():
    torch.manual_seed(1)
    model = torch.nn.Sequential(*[layer for _ in range(4) for layer in (torch.nn.Linear(128, 128), torch.nn.GELU())]).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    data = torch.randn(128, 128, device="cuda")
    loss = 0.0
    for _ in range(int(sys.argv[1])):
        with torch.cuda.nvtx.range("train_step"):
            optimizer.zero_grad(set_to_none=True)
            error = torch.nn.functional.mse_loss(model(data), data)
            error.backward()
            optimizer.step()
            loss = error.item()
    print(f"final loss {loss:.5f}")


if __name__ == "__main__":
    main()
