# What PyTorch needs for a lab's task: printed as the seconds of each sample, one a line. The peers of
# the labs are scripts that import this; `klab bench --peers` runs them beside our solutions.
import sys
import time

try:
    import torch
except ImportError:
    sys.exit("Python has no PyTorch here.")

SAMPLES = 50
WARM_UPS = 5
# Cycles for which the GPU is kept busy before a sample: everything that Python enqueues meanwhile
# starts without a gap.
HEAD_START = 4_000_000


def _evict(words):
    """Reads more than any L2 holds, as the lab's own clock does before each sample."""
    words.sum()


def _cold():
    return torch.zeros(1 << 28, dtype=torch.uint8, device="cuda").view(torch.int32)


def print_device_samples(work):
    """Time on the GPU between two events around work()."""
    words = _cold()
    for i in range(WARM_UPS + SAMPLES):
        start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        _evict(words)
        torch.cuda._sleep(HEAD_START)
        start.record()
        work()
        stop.record()
        torch.cuda.synchronize()
        if i >= WARM_UPS:
            print(start.elapsed_time(stop) * 1e-3)


def print_wall_samples(work):
    """Time on the host from the call of work() until the GPU has finished."""
    words = _cold()
    for i in range(WARM_UPS + SAMPLES):
        _evict(words)
        torch.cuda.synchronize()
        start = time.perf_counter()
        work()
        torch.cuda.synchronize()
        if i >= WARM_UPS:
            print(time.perf_counter() - start)


def random_bytes(count):
    return torch.randint(0, 256, (count,), dtype=torch.uint8, device="cuda")
