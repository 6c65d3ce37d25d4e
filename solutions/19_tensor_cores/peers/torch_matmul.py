# The product as PyTorch leaves it to cuBLAS: half precision, added up in float.
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2]))
import torch_peer
from torch_peer import torch

m, n, k = map(int, sys.argv[1:4])
torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
a = torch.randn(m, k, device="cuda", dtype=torch.half)
b = torch.randn(k, n, device="cuda", dtype=torch.half)
c = torch.empty(m, n, device="cuda", dtype=torch.half)
torch_peer.print_device_samples(lambda: torch.matmul(a, b, out=c))
