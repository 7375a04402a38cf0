# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rounds of 20 updates under jax.lax.scan, whose losses are logged on the host; after: they are logged at the end."""
import os

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
import jax
import jax.numpy as jnp
import numpy
from clock import BEFORE, Clock

key = jax.random.PRNGKey(0)
weights = jax.random.normal(key, (4, 256, 256)) * 0.06
batches = jax.random.normal(key, (20, 64, 256))


def loss_of(weights, x):
    y = x
    for w in weights:
        y = jnp.tanh(y @ w)
    return ((y - x) ** 2).mean()


def update(weights, x):
    loss, gradient = jax.value_and_grad(loss_of)(weights, x)
    return weights - 1e-2 * gradient, loss


@jax.jit
def round_of(weights):
    return jax.lax.scan(update, weights, batches)


log, clock = [], Clock(lambda: losses.block_until_ready())
for _ in range(200):
    weights, losses = round_of(weights)
    if BEFORE:
        losses_here = numpy.asarray(losses)
        log.append({"mean": losses_here.mean(), "median": numpy.median(losses_here), "histogram": numpy.histogram(losses_here, bins=20)})
    else:
        log.append(losses)
    clock.tick()
print(len(log))
