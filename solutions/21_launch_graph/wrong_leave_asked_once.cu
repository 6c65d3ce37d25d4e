// Rejected by: correct — the first launch that needs more than 48 KiB of shared memory gets leave
// for just what it needs, and a later one with more tensors is refused
#include "contract.cuh"

#include <algorithm>

namespace {

constexpr int block = 512, most_blocks = 528;

template <bool in_shared>
__global__ void __launch_bounds__(block) descend(Args args) {
  extern __shared__ std::int64_t copied[];
  if constexpr (in_shared) {
    for (int k = threadIdx.x; k <= args.tensors; k += block) copied[k] = args.table[k];
    __syncthreads();
  }
  const std::int64_t* const starts = in_shared ? copied : args.table;
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x;
       i < args.elements; i += gridDim.x * static_cast<std::int64_t>(block)) {
    int low = 0, high = args.tensors;
    while (high - low > 1) {
      const int middle = low + (high - low) / 2;
      (starts[middle] <= i ? low : high) = middle;
    }
    args.weights[i] -= args.rates[low] * args.gradients[i];
  }
}

// Of a block, once it has leave.
std::size_t most_shared_bytes() {
  int device = 0, bytes = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  return static_cast<std::size_t>(bytes);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static const std::size_t most = most_shared_bytes();
  constexpr std::size_t without_leave = 48 << 10;
  const std::size_t bytes = (static_cast<std::size_t>(args.tensors) + 1) * sizeof(std::int64_t);
  cudaMemcpyAsync(args.table, args.starts, bytes, cudaMemcpyHostToDevice, stream);
  const auto blocks = static_cast<unsigned>(
      std::min<std::int64_t>((args.elements + block - 1) / block, most_blocks));
  if (bytes > most) {
    descend<false><<<blocks, block, 0, stream>>>(args);
    return;
  }
  static bool has_leave = false;
  if (bytes > without_leave && !has_leave) {
    cudaFuncSetAttribute(descend<true>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(bytes));
    has_leave = true;
  }
  descend<true><<<blocks, block, bytes, stream>>>(args);
}
