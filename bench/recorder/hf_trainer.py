# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hugging Face Trainer with a small GPT-2: hf_trainer.py STEPS"""
import sys
import tempfile

import torch
from steps import Steps
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainerCallback, TrainingArguments

count = int(sys.argv[1])
torch.manual_seed(0)
model = GPT2LMHeadModel(GPT2Config(n_layer=4, n_embd=256, n_head=4, vocab_size=2048, n_positions=128))


class Tokens(torch.utils.data.Dataset):
    def __len__(self):
        return 8 * (count + 20)

    def __getitem__(self, index):
        tokens = torch.randint(0, 2048, (128,))
        return {"input_ids": tokens, "labels": tokens}


class Timer(TrainerCallback):
    def __init__(self):
        self.steps = Steps(count, torch.cuda.synchronize)

    def on_step_begin(self, *arguments, **options):
        if self.steps.number <= count:
            self.steps.begin()


with tempfile.TemporaryDirectory() as folder:
    arguments = TrainingArguments(output_dir=folder, per_device_train_batch_size=8, max_steps=count + 1, logging_steps=10, report_to=[], save_strategy="no",
                                  disable_tqdm=True)
    Trainer(model=model, args=arguments, train_dataset=Tokens(), callbacks=[Timer()]).train()
