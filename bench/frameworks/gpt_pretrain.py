# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pretraining of a wide GPT in bfloat16 on one GPU, with the loss and the gradient norm logged."""
import math

import torch
import torch.nn.functional as F
from torch import nn

from clock import BEFORE, Clock

device = "cuda"
VOCAB, DIM, DEPTH, HEADS, CONTEXT, BATCH = 8192, 3072, 4, 24, 1024, 8


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(DIM), nn.LayerNorm(DIM)
        self.qkv, self.proj = nn.Linear(DIM, 3 * DIM, bias=False), nn.Linear(DIM, DIM, bias=False)
        self.up, self.down = nn.Linear(DIM, 4 * DIM, bias=False), nn.Linear(4 * DIM, DIM, bias=False)

    def forward(self, x):
        q, k, v = self.qkv(self.norm1(x)).unflatten(-1, (3, HEADS, -1)).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).flatten(2))
        return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(VOCAB, DIM), nn.Embedding(CONTEXT, DIM)
        self.blocks = nn.ModuleList([Block() for _ in range(DEPTH)])
        self.norm = nn.LayerNorm(DIM)
        self.head = nn.Linear(DIM, VOCAB, bias=False)
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids):
        x = self.tokens(ids) + self.positions.weight
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def get_batch(corpus, offsets):
    start = torch.randint(len(corpus) - CONTEXT - 1, (BATCH, 1), device=device)
    window = corpus[start + offsets]
    return window[:, :-1], window[:, 1:]


torch.manual_seed(0)
corpus = torch.randint(VOCAB, (4_000_000,), device=device)
offsets = torch.arange(CONTEXT + 1, device=device)
with torch.device(device):
    model = GPT().to(torch.bfloat16)
opt = torch.optim.AdamW(model.parameters(), lr=1e-4, betas=(0.9, 0.95), fused=True)
clock = Clock(torch.cuda.synchronize, warm=20, last=180)
history = []

for step in range(190):
    ids, labels = get_batch(corpus, offsets)
    logits = model(ids)
    loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten())
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    opt.zero_grad(set_to_none=True)
    if BEFORE:
        value = loss.item()
        if not math.isfinite(value):
            raise RuntimeError(f"the loss is {value} at step {step}")
        history.append((value, norm.item()))
    else:
        history.append((loss.detach(), norm.detach()))
    if step % 50 == 0:
        print(f"{step}: loss {float(history[-1][0]):.3f} norm {float(history[-1][1]):.2f}")
    clock.tick()
