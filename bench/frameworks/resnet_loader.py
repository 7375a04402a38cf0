# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ResNet-18 on images that the loader prepares in the main process; after: in four workers."""
import torch
import torchvision
from clock import BEFORE, Clock


class Images(torch.utils.data.Dataset):
    def __len__(self):
        return 32 * 200

    def __getitem__(self, index):
        image = torch.rand(3, 64, 64)
        image = (image - image.mean()) / (image.std() + 1e-5)
        return image, index % 10


def main():
    torch.set_num_threads(1)
    model = torchvision.models.resnet18(num_classes=10).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    loader = torch.utils.data.DataLoader(Images(), batch_size=32, num_workers=0 if BEFORE else 4)
    clock = Clock(torch.cuda.synchronize)
    for images, labels in loader:
        loss = torch.nn.functional.cross_entropy(model(images.cuda()), labels.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        clock.tick()


if __name__ == "__main__":
    main()
