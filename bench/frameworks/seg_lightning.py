# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Semantic segmentation (150 classes) with Lightning; mean IoU over the training set at the end."""
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset
from torchvision.models.segmentation import lraspp_mobilenet_v3_large

from clock import BEFORE, Clock

try:
    import lightning.pytorch as pl
except ImportError:
    import pytorch_lightning as pl

CLASSES = 150
STEPS, BATCH = 260, 16


class Scenes(Dataset):
    def __init__(self, size=128, pool=64):
        g = torch.Generator().manual_seed(0)
        self.images = torch.randint(0, 256, (pool, 3, size, size), generator=g, dtype=torch.uint8)
        coarse = torch.randint(0, CLASSES, (pool, size // 16, size // 16), generator=g, dtype=torch.uint8)
        self.masks = coarse.repeat_interleave(16, 1).repeat_interleave(16, 2)

    def __len__(self):
        return STEPS * BATCH

    def __getitem__(self, i):
        i %= len(self.images)
        return self.images[i], self.masks[i]


class MeanIoU:
    def __init__(self, num_classes, device):
        self.num_classes = num_classes
        self.inter = [0.0] * num_classes
        self.union = [0.0] * num_classes
        self.confusion = torch.zeros(num_classes * num_classes, dtype=torch.long, device=device)

    def update(self, pred, target):
        if BEFORE:
            for c in range(self.num_classes):
                p, t = pred == c, target == c
                self.inter[c] += (p & t).sum().item()
                self.union[c] += (p | t).sum().item()
        else:
            cell = (target * self.num_classes + pred).flatten()
            self.confusion.scatter_add_(0, cell, torch.ones_like(cell))

    def compute(self):
        if BEFORE:
            inter, union = torch.tensor(self.inter), torch.tensor(self.union)
        else:
            table = self.confusion.view(self.num_classes, -1).cpu().float()
            inter = table.diag()
            union = table.sum(0) + table.sum(1) - inter
        return (inter / union.clamp(min=1)).mean().item()


class Segmenter(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = lraspp_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=CLASSES)
        self.clock = Clock(torch.cuda.synchronize)

    def on_train_start(self):
        self.miou = MeanIoU(CLASSES, self.device)

    def training_step(self, batch, batch_idx):
        images, masks = batch[0].float().div_(255), batch[1].long()
        logits = self.net(images)["out"]
        loss = F.cross_entropy(logits, masks)
        self.miou.update(logits.detach().argmax(1), masks)
        return loss

    def on_train_batch_end(self, outputs, batch, batch_idx):
        self.clock.tick()

    def on_train_end(self):
        print(f"mIoU {self.miou.compute():.4f}")

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-3, fused=True)


if __name__ == "__main__":
    loader = DataLoader(Scenes(), batch_size=BATCH, shuffle=True, num_workers=2, pin_memory=True)
    trainer = pl.Trainer(max_epochs=1, accelerator="gpu", devices=1, precision="bf16-mixed", logger=False,
                         enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False)
    trainer.fit(Segmenter(), loader)
