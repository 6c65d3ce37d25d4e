# Brighter pixels as one writes them in PyTorch: through 16-bit numbers, so that nothing wraps.
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2]))
import torch_peer
from torch_peer import torch

pixels, header = map(int, sys.argv[1:3])
source = torch_peer.random_bytes(header + pixels)[header:]
torch_peer.print_device_samples(
    lambda: (source.to(torch.int16) + 40).clamp_(max=255).to(torch.uint8))
