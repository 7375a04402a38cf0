import sys

import torch

torch.ops.load_library(sys.argv[1])
print(torch.ops.scale.scale)
