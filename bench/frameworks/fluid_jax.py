# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two-dimensional incompressible flow in a periodic box: advection, forcing, pressure projection by CG."""
import jax
import jax.numpy as jnp
from jax.scipy.ndimage import map_coordinates

from clock import BEFORE, Clock

N, DT, NU = 256, 0.2, 0.05
RTOL, MAX_ITER = 1e-3, 60

rows, cols = jnp.meshgrid(jnp.arange(N, dtype=jnp.float32), jnp.arange(N, dtype=jnp.float32), indexing="ij")
force = jnp.stack([jnp.zeros((N, N)), 0.05 * jnp.sin(2 * jnp.pi * 4 * rows / N)])


def laplacian(f):
    return (jnp.roll(f, 1, -1) + jnp.roll(f, -1, -1) + jnp.roll(f, 1, -2) + jnp.roll(f, -1, -2)) - 4 * f


def backward_difference(v):
    return (v[0] - jnp.roll(v[0], 1, 0)) + (v[1] - jnp.roll(v[1], 1, 1))


def forward_difference(p):
    return jnp.stack([jnp.roll(p, -1, 0) - p, jnp.roll(p, -1, 1) - p])


@jax.jit
def advect(vel):
    where = [rows - DT * vel[0], cols - DT * vel[1]]
    moved = jnp.stack([map_coordinates(v, where, order=1, mode="wrap") for v in vel])
    moved = moved + DT * (force + NU * laplacian(moved))
    div = backward_difference(moved)
    return moved, div - div.mean()


@jax.jit
def project(vel, p):
    return vel - forward_difference(p)


@jax.jit
def cg_init(div, p):
    r = laplacian(p) - div
    return p, r, r, jnp.sum(r * r), RTOL ** 2 * jnp.sum(div * div) + 1e-12


@jax.jit
def cg_step(p, r, d, rs):
    q = -laplacian(d)
    alpha = rs / jnp.sum(d * q)
    p = p + alpha * d
    r = r - alpha * q
    rs_new = jnp.sum(r * r)
    return p, r, r + (rs_new / rs) * d, rs_new


@jax.jit
def cg_loop(p, r, d, rs, limit):
    def unfinished(carry):
        k, state = carry
        return (k < MAX_ITER) & (state[3] > limit)

    return jax.lax.while_loop(unfinished, lambda c: (c[0] + 1, cg_step(*c[1])), (0, (p, r, d, rs)))[1][0]


def solve_pressure(div, p):
    p, r, d, rs, limit = cg_init(div, p)
    if BEFORE:
        for _ in range(MAX_ITER):
            if rs <= limit:
                break
            p, r, d, rs = cg_step(p, r, d, rs)
    else:
        p = cg_loop(p, r, d, rs, limit)
    return p


def main():
    vel = 0.5 * jax.random.normal(jax.random.PRNGKey(0), (2, N, N))
    p = jnp.zeros((N, N))
    clock = Clock(lambda: vel.block_until_ready())
    for _ in range(600):
        vel, div = advect(vel)
        p = solve_pressure(div, p)
        vel = project(vel, p)
        clock.tick()
    print(f"energy {float(jnp.mean(vel ** 2)):.5f}")


main()
