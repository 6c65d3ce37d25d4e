# A plain copy of the same bytes: what the memory gives.
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2]))
import torch_peer
from torch_peer import torch

pixels, header = map(int, sys.argv[1:3])
source = torch_peer.random_bytes(header + pixels)
target = torch.empty_like(source)
torch_peer.print_device_samples(lambda: target.copy_(source))
