# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A server whose worker reads each result before it launches the next request; after: it reads them one request later."""
import queue
import threading

import torch
from clock import BEFORE, Clock

torch.manual_seed(0)
model = torch.nn.Sequential(*[layer for _ in range(8) for layer in (torch.nn.Linear(2048, 2048), torch.nn.ReLU())], torch.nn.Linear(2048, 1000)).cuda().eval()
requests, replies = queue.Queue(), queue.Queue()
clock = Clock(torch.cuda.synchronize, last=300)


def answer(scores, labels):
    replies.put([(int(label), float(score)) for score, label in zip(scores, labels)])


def work():
    waiting = None
    while (rows := requests.get()) is not None:
        with torch.no_grad():
            scores, labels = model(rows.to("cuda", non_blocking=True)).softmax(dim=1).max(dim=1)
        if BEFORE:
            answer(scores.cpu(), labels.cpu())
        else:
            copied = [torch.empty(result.shape, dtype=result.dtype, pin_memory=True) for result in (scores, labels)]
            for target, result in zip(copied, (scores, labels)):
                target.copy_(result, non_blocking=True)
            done = torch.cuda.Event()
            done.record()
            if waiting:
                waiting[0].synchronize()
                answer(*waiting[1])
            waiting = done, copied
        clock.tick()


worker = threading.Thread(target=work)
worker.start()
rows = torch.randn(64, 2048, pin_memory=True)
for _ in range(310):
    requests.put(rows)
requests.put(None)
worker.join()
