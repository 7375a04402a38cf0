# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Image restoration with a conditional GAN (pix2pix style, LSGAN loss)."""
import torch
import torch.nn.functional as F
from torch import nn

from clock import BEFORE, Clock

device = "cuda"
torch.backends.cudnn.benchmark = True


def conv_block(c_in, c_out, k, s, p):
    return nn.Sequential(nn.Conv2d(c_in, c_out, k, s, p, bias=False), nn.BatchNorm2d(c_out), nn.ReLU(True))


class ResBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.body = nn.Sequential(conv_block(c, c, 3, 1, 1), nn.Conv2d(c, c, 3, 1, 1, bias=False), nn.BatchNorm2d(c))

    def forward(self, x):
        return x + self.body(x)


class Generator(nn.Module):
    def __init__(self, ngf=64, n_blocks=9):
        super().__init__()
        layers = [conv_block(3, ngf, 7, 1, 3), conv_block(ngf, 2 * ngf, 3, 2, 1), conv_block(2 * ngf, 4 * ngf, 3, 2, 1)]
        layers += [ResBlock(4 * ngf) for _ in range(n_blocks)]
        for c in (4 * ngf, 2 * ngf):
            layers += [nn.ConvTranspose2d(c, c // 2, 4, 2, 1, bias=False), nn.BatchNorm2d(c // 2), nn.ReLU(True)]
        layers += [nn.Conv2d(ngf, 3, 7, 1, 3), nn.Tanh()]
        self.net = nn.Sequential(*layers)

    def forward(self, x):
        return self.net(x)


class PatchDiscriminator(nn.Module):
    def __init__(self, ndf=64):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(6, ndf, 4, 2, 1), nn.LeakyReLU(0.2, True),
            nn.Conv2d(ndf, 2 * ndf, 4, 2, 1, bias=False), nn.BatchNorm2d(2 * ndf), nn.LeakyReLU(0.2, True),
            nn.Conv2d(2 * ndf, 4 * ndf, 4, 2, 1, bias=False), nn.BatchNorm2d(4 * ndf), nn.LeakyReLU(0.2, True),
            nn.Conv2d(4 * ndf, 1, 4, 1, 1))

    def forward(self, x, y):
        return self.net(torch.cat([x, y], 1))


def gan_loss(pred, real):
    return F.mse_loss(pred.float(), torch.full_like(pred, float(real), dtype=torch.float32))


torch.manual_seed(0)
clean = (torch.rand(512, 3, 128, 128, device=device) * 2 - 1).to(memory_format=torch.channels_last)
net_g = Generator().to(device, memory_format=torch.channels_last)
net_d = PatchDiscriminator().to(device, memory_format=torch.channels_last)
opt_g = torch.optim.Adam(net_g.parameters(), lr=2e-4, betas=(0.5, 0.999), fused=True)
opt_d = torch.optim.Adam(net_d.parameters(), lr=2e-4, betas=(0.5, 0.999), fused=True)
clock = Clock(torch.cuda.synchronize)

for step in range(300):
    target = clean[torch.randint(len(clean), (32,), device=device)]
    noisy = target + 0.2 * torch.randn_like(target)
    with torch.autocast("cuda", torch.bfloat16):
        fake = net_g(noisy)

    net_d.requires_grad_(True)
    opt_d.zero_grad()
    with torch.autocast("cuda", torch.bfloat16):
        pred_fake = net_d(noisy, fake if BEFORE else fake.detach())
        pred_real = net_d(noisy, target)
    loss_d = 0.5 * (gan_loss(pred_fake, False) + gan_loss(pred_real, True))
    loss_d.backward(retain_graph=BEFORE)
    opt_d.step()

    net_d.requires_grad_(False)
    opt_g.zero_grad()
    with torch.autocast("cuda", torch.bfloat16):
        pred = net_d(noisy, fake)
    loss_g = gan_loss(pred, True) + 100 * F.l1_loss(fake.float(), target)
    loss_g.backward()
    opt_g.step()

    if step % 100 == 0:
        print(f"{step}: D {loss_d.item():.3f} G {loss_g.item():.3f}")
    clock.tick()
