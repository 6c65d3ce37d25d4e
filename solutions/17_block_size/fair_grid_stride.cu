// Ends in: pass — sixteen blocks for each multiprocessor, which step through the signal
#include "contract.cuh"

namespace {

__global__ void limit(Args args) {
  const std::int64_t step = gridDim.x * static_cast<std::int64_t>(blockDim.x);
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
       i < args.count; i += step)
    args.out[i] = fminf(fmaxf(args.in[i], args.low), args.high);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  int device = 0, multiprocessors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  limit<<<16 * multiprocessors, 128, 0, stream>>>(args);
}
