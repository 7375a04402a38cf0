# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hugging Face Trainer that logs in each step; after: every 50 steps, without testing each loss for NaN."""
import tempfile

import torch
from clock import BEFORE, Clock
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainerCallback, TrainingArguments

torch.manual_seed(0)
model = GPT2LMHeadModel(GPT2Config(n_layer=4, n_embd=256, n_head=4, vocab_size=2048, n_positions=128))


class Tokens(torch.utils.data.Dataset):
    def __len__(self):
        return 8 * 210

    def __getitem__(self, index):
        tokens = torch.randint(0, 2048, (128,))
        return {"input_ids": tokens, "labels": tokens}


class Timer(TrainerCallback):
    def __init__(self):
        self.clock = Clock(torch.cuda.synchronize)

    def on_step_end(self, *arguments, **options):
        self.clock.tick()


with tempfile.TemporaryDirectory() as folder:
    arguments = TrainingArguments(output_dir=folder, per_device_train_batch_size=8, max_steps=200, logging_steps=1 if BEFORE else 50,
                                  logging_nan_inf_filter=BEFORE, report_to=[], save_strategy="no", disable_tqdm=not BEFORE)
    Trainer(model=model, args=arguments, train_dataset=Tokens(), callbacks=[Timer()]).train()
