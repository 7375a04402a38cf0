# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Acoustic wave propagation over a layered earth model (one shot), absorbing sponge at the edges."""
import cupy as cp
import numpy as np

from clock import BEFORE, Clock


def layered_model(nz, nx):
    vp = np.full((nz, nx), 1500.0, dtype=np.float32)
    for depth, v in ((0.2, 2000.0), (0.45, 2600.0), (0.7, 3300.0)):
        vp[int(depth * nz):] = v
    return vp


def sponge(nz, nx, width=80, strength=0.0053):
    """Cerjan taper: 1 inside, falling towards the edges."""
    def edge(n):
        distance = np.minimum(np.arange(n), np.arange(n)[::-1])
        return np.exp(-(strength * np.maximum(width - distance, 0)) ** 2)
    return np.outer(edge(nz), edge(nx)).astype(np.float32)


def ricker(steps, dt, f0=12.0):
    t = np.arange(steps) * dt - 1.2 / f0
    a = (np.pi * f0 * t) ** 2
    return ((1 - 2 * a) * np.exp(-a)).astype(np.float32)


class Acoustic2D:
    def __init__(self, vp, dx, dt):
        self.nz, self.nx = vp.shape
        self.courant2 = cp.asarray((vp * dt / dx) ** 2)
        self.taper = sponge(self.nz, self.nx)
        if not BEFORE:
            self.taper = cp.asarray(self.taper)
        self.u = cp.zeros(vp.shape, dtype=cp.float32)
        self.u_old = cp.zeros_like(self.u)
        self.lap = cp.zeros_like(self.u)

    def laplacian(self):
        u = self.u
        self.lap[1:-1, 1:-1] = (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
        return self.lap

    def absorb(self):
        if BEFORE:
            taper = cp.asarray(self.taper)
        else:
            taper = self.taper
        self.u *= taper
        self.u_old *= taper

    def step(self, amplitude, source):
        u_new = 2 * self.u - self.u_old + self.courant2 * self.laplacian()
        u_new[source] += amplitude
        self.u_old, self.u = self.u, u_new
        self.absorb()


def main():
    nz, nx, dx, dt, steps = 2000, 2000, 5.0, 0.0008, 2000
    model = Acoustic2D(layered_model(nz, nx), dx, dt)
    wavelet = ricker(steps, dt).tolist()
    receivers = (100, slice(100, nx - 100, 10))
    shot = cp.zeros((steps, len(range(100, nx - 100, 10))), dtype=cp.float32)
    clock = Clock(cp.cuda.runtime.deviceSynchronize, warm=50, last=1000)
    for it in range(steps):
        model.step(wavelet[it], (100, nx // 2))
        shot[it] = model.u[receivers]
        if it % 500 == 0:
            print(f"{it}: max {float(cp.abs(model.u).max()):.3e}")
        clock.tick()
    print(f"rms of the traces {np.sqrt(np.mean(shot.get() ** 2)):.3e}")


main()
