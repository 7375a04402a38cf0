# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""generate() of a small GPT-2 whose stopping criterion reads each token; after: with a static cache, for which generate() compiles the model."""
import torch
from clock import BEFORE, Clock
from transformers import GPT2Config, GPT2LMHeadModel, StoppingCriteria

torch.manual_seed(0)
model = GPT2LMHeadModel(GPT2Config(n_layer=4, n_embd=256, n_head=4, vocab_size=2048, n_positions=512)).cuda().eval()
clock = Clock(torch.cuda.synchronize, last=300)
stop_words = [5, 17, 23, 99]


class StopAtWord(StoppingCriteria):
    def __call__(self, tokens, scores, **options):
        clock.tick()
        done = [all(tokens[row, -1].item() == word for word in stop_words) for row in range(len(tokens))]
        return torch.tensor(done, device="cuda")


if not BEFORE:
    model.generation_config.cache_implementation = "static"
prompt = torch.randint(0, 2048, (4, 16), device="cuda")
with torch.no_grad():
    model.generate(prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=320, do_sample=True, pad_token_id=0, eos_token_id=2047, min_new_tokens=320,
                   stopping_criteria=[StopAtWord()])
