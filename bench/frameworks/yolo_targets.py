# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One-scale YOLO detector; the images are cached on the GPU, the annotations come as lists of boxes."""
import torch
import torch.nn.functional as F
from torch import nn
from torchvision.models import resnet18

from clock import BEFORE, Clock

device = "cuda"
CLASSES, GRID, BATCH = 20, 10, 32
ANCHORS = torch.tensor([[0.9, 1.1], [2.4, 2.0], [4.5, 5.0]])  # in cells


def wh_iou(wh, anchors):
    wh = wh.unsqueeze(-2)
    inter = torch.minimum(wh, anchors).prod(-1)
    return inter / (wh.prod(-1) + anchors.prod(-1) - inter)


def build_targets(labels, anchors):
    """labels: for each image a tensor (n, 5) of class, x, y, w, h, relative to the image."""
    n, a = len(labels), len(anchors)
    where = "cpu" if BEFORE else device
    obj, noobj = torch.zeros(n, a, GRID, GRID, device=where), torch.ones(n, a, GRID, GRID, device=where)
    box, cls = obj.new_zeros(n, a, GRID, GRID, 4), obj.new_zeros(n, a, GRID, GRID, CLASSES)
    if BEFORE:
        for b in range(n):
            for t in range(labels[b].shape[0]):
                xy, wh = labels[b][t, 1:3] * GRID, labels[b][t, 3:5] * GRID
                gi, gj = min(int(xy[0]), GRID - 1), min(int(xy[1]), GRID - 1)
                ious = wh_iou(wh, anchors)
                best = ious.argmax()
                obj[b, best, gj, gi] = 1
                noobj[b, best, gj, gi] = 0
                noobj[b, ious > 0.5, gj, gi] = 0
                box[b, best, gj, gi, 0:2] = xy - xy.floor()
                box[b, best, gj, gi, 2:4] = torch.log(wh / anchors[best])
                cls[b, best, gj, gi, int(labels[b][t, 0])] = 1
    else:
        image = torch.repeat_interleave(torch.arange(n), torch.tensor([len(x) for x in labels]))
        flat = torch.cat([image[:, None].float(), torch.cat(labels)], 1).to(device)
        anchors, b, c = anchors.to(device), flat[:, 0].long(), flat[:, 1].long()
        xy, wh = flat[:, 2:4] * GRID, flat[:, 4:6] * GRID
        gi, gj = xy.long().clamp(max=GRID - 1).unbind(1)
        ious = wh_iou(wh, anchors)
        best = ious.argmax(1)
        obj[b, best, gj, gi] = 1
        noobj.permute(0, 2, 3, 1).index_put_((b, gj, gi), -(ious > 0.5).float(), accumulate=True)
        noobj = ((noobj == 1) & (obj == 0)).float()
        box[b, best, gj, gi] = torch.cat([xy - xy.floor(), torch.log(wh / anchors[best])], 1)
        cls[b, best, gj, gi, c] = 1
    return obj, noobj, box, cls


class Yolo(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(*list(resnet18(weights=None).children())[:-2])
        self.head = nn.Conv2d(512, len(ANCHORS) * (5 + CLASSES), 1)

    def forward(self, x):
        out = self.head(self.backbone(x))
        return out.unflatten(1, (len(ANCHORS), 5 + CLASSES)).permute(0, 1, 3, 4, 2).float()


def loss_fn(out, obj, noobj, box, cls):
    confidence = F.binary_cross_entropy_with_logits(out[..., 4], obj, weight=obj + 0.5 * noobj, reduction="sum")
    where = torch.cat([out[..., 0:2].sigmoid(), out[..., 2:4]], -1)
    place = (obj[..., None] * (where - box) ** 2).sum()
    classes = (obj[..., None] * F.binary_cross_entropy_with_logits(out[..., 5:], cls, reduction="none")).sum()
    return (confidence + place + classes) / obj.sum().clamp(min=1)


torch.manual_seed(0)
images = torch.randint(0, 256, (256, 3, 320, 320), dtype=torch.uint8, device=device)
boxes = []
for _ in range(len(images)):
    k = int(torch.randint(4, 21, ()))
    boxes.append(torch.cat([torch.randint(0, CLASSES, (k, 1)), torch.rand(k, 2), 0.05 + 0.5 * torch.rand(k, 2)], 1))
model = Yolo().to(device, memory_format=torch.channels_last)
opt = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9, fused=True)
clock = Clock(torch.cuda.synchronize)
for step in range(240):
    first = step * BATCH % len(images)
    x = images[first:first + BATCH].to(memory_format=torch.channels_last).float().div_(255)
    targets = [t.to(device) for t in build_targets(boxes[first:first + BATCH], ANCHORS)]
    with torch.autocast("cuda", torch.bfloat16):
        out = model(x)
    loss = loss_fn(out, *targets)
    opt.zero_grad()
    loss.backward()
    opt.step()
    clock.tick()
print(f"last loss {loss.item():.3f}")
