# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A training step under jax.jit that prints its loss; after: it does not."""
import os

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
import jax
import jax.numpy as jnp
from clock import BEFORE, Clock

key = jax.random.PRNGKey(0)
weights = [jax.random.normal(jax.random.fold_in(key, i), (1024, 1024)) * 0.03 for i in range(6)]
x = jax.random.normal(key, (256, 1024))


def loss_of(weights, x):
    y = x
    for w in weights:
        y = jnp.tanh(y @ w)
    return ((y - 0.5 * x) ** 2).mean()


@jax.jit
def train(weights, x):
    loss, gradients = jax.value_and_grad(loss_of)(weights, x)
    return [w - 1e-2 * g for w, g in zip(weights, gradients)], loss


clock = Clock(lambda: loss.block_until_ready())
for number in range(200):
    weights, loss = train(weights, x)
    if BEFORE:
        print(number, float(loss))
    clock.tick()
