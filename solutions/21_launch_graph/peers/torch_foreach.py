# One step for all tensors by PyTorch's functions for lists of tensors.
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2]))
import torch_peer
from torch_peer import torch

tensors, length = map(int, sys.argv[1:3])
weights = [torch.randn(length, device="cuda") for _ in range(tensors)]
gradients = [torch.randn(length, device="cuda") for _ in range(tensors)]
rates = [0.001 * (i + 1) for i in range(tensors)]
torch_peer.print_wall_samples(
    lambda: torch._foreach_sub_(weights, torch._foreach_mul(gradients, rates)))
