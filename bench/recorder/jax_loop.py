# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An update step under jax.jit, whose loss is read in each step: jax_loop.py STEPS"""
import os

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
import sys

import jax
import jax.numpy as jnp
from steps import Steps

count = int(sys.argv[1])
key = jax.random.PRNGKey(0)
weights = [jax.random.normal(jax.random.fold_in(key, i), (1024, 1024)) * 0.03 for i in range(6)]
x = jax.random.normal(key, (256, 1024))
y = x * 0.5


def loss_of(weights, x, y):
    for w in weights:
        x = jnp.tanh(x @ w)
    return ((x - y) ** 2).mean()


@jax.jit
def train(weights, x, y):
    loss, gradients = jax.value_and_grad(loss_of)(weights, x, y)
    return [w - 1e-2 * g for w, g in zip(weights, gradients)], loss


for _ in range(20):
    weights, loss = train(weights, x, y)
float(loss)
steps = Steps(count, lambda: loss.block_until_ready())
for _ in range(count):
    steps.begin()
    weights, loss = train(weights, x, y)
    float(loss)
steps.begin()
