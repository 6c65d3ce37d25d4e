// Rejected by: built — a host thread does the work when the clock has stopped
#include <thread>

#include "contract.cuh"

namespace {

__global__ void fuse(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < args.count)
    args.out[i] = args.residual[i] + fmaxf(args.in[i] * args.scale + args.bias, 0.0f);
}

}  // namespace

void launch(const Args& args, cudaStream_t) {
  std::thread([args] {
    std::this_thread::sleep_for(std::chrono::microseconds(500));
    fuse<<<static_cast<unsigned>((args.count + 255) / 256), 256>>>(args);
  }).detach();
}
