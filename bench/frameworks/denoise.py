# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A denoising loop whose callback tests the latents for NaN in each step; after: with a compiled model."""
import torch
from clock import BEFORE, Clock

torch.manual_seed(0)
torch.backends.cudnn.benchmark = True


class Block(torch.nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm, self.first, self.second = torch.nn.GroupNorm(8, channels), *[torch.nn.Conv2d(channels, channels, 3, padding=1) for _ in range(2)]

    def forward(self, x):
        return x + self.second(torch.nn.functional.silu(self.first(torch.nn.functional.silu(self.norm(x)))))


model = torch.nn.Sequential(torch.nn.Conv2d(4, 128, 3, padding=1), *[Block(128) for _ in range(6)], torch.nn.Conv2d(128, 4, 3, padding=1)).cuda().half().eval()
if not BEFORE:
    model = torch.compile(model, mode="reduce-overhead")
sigmas = torch.linspace(10, 0.1, 240)


def on_step_end(latents):
    if torch.isnan(latents).any():
        raise SystemExit("NaN in the latents")


latents = torch.randn(2, 4, 64, 64, device="cuda", dtype=torch.half)
clock = Clock(torch.cuda.synchronize, last=239)
with torch.no_grad():
    for number in range(239):
        noise = model(latents / (1 + float(sigmas[number]) ** 2) ** 0.5)
        guided = noise[:1] + 2.0 * (noise[1:] - noise[:1])
        latents = latents + guided * 1e-3 * float(sigmas[number + 1] - sigmas[number])
        on_step_end(latents)
        clock.tick()
