# The transpose of PyTorch, written into a matrix that is there.
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2]))
import torch_peer
from torch_peer import torch

rows, columns = map(int, sys.argv[1:3])
source = torch.randn(rows, columns, device="cuda")
target = torch.empty(columns, rows, device="cuda")
torch_peer.print_device_samples(lambda: target.copy_(source.t()))
