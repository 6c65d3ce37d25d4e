# One step for all tensors as a graph of PyTorch: a node for each tensor.
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2]))
import torch_peer
from torch_peer import torch

tensors, length = map(int, sys.argv[1:3])
weights = [torch.randn(length, device="cuda") for _ in range(tensors)]
gradients = [torch.randn(length, device="cuda") for _ in range(tensors)]


def step():
    for i in range(tensors):
        weights[i].add_(gradients[i], alpha=-0.001 * (i + 1))


step()
torch.cuda.synchronize()
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    step()
torch_peer.print_wall_samples(graph.replay)
