# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lightning with a progress bar that shows the loss; after: without."""
import warnings

import pytorch_lightning
import torch
from clock import BEFORE, Clock

warnings.filterwarnings("ignore")
clock = Clock(torch.cuda.synchronize)


class Model(pytorch_lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(*[layer for _ in range(6) for layer in (torch.nn.Linear(512, 512), torch.nn.ReLU())], torch.nn.Linear(512, 10))

    def training_step(self, batch, index):
        clock.tick()
        loss = torch.nn.functional.cross_entropy(self.net(batch[0]), batch[1])
        if BEFORE:
            self.log("loss", loss, prog_bar=True)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


data = torch.utils.data.TensorDataset(torch.randn(64 * 210, 512), torch.randint(0, 10, (64 * 210,)))
trainer = pytorch_lightning.Trainer(max_steps=205, enable_progress_bar=BEFORE, logger=False, enable_checkpointing=False, enable_model_summary=False,
                                    accelerator="gpu", devices=1)
trainer.fit(Model(), torch.utils.data.DataLoader(data, batch_size=64))
