// Rejected by: correct or built — a thread of the host does the work once the clock has stopped
#include "contract.cuh"

#include <chrono>
#include <thread>

namespace {

__device__ float fused(float in, float residual, const Args& args) {
  return residual + fmaxf(in * args.scale + args.bias, 0.0f);
}

__global__ void fuse(Args a) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < a.count) a.out[i] = fused(a.in[i], a.residual[i], a);
}

}  // namespace

void launch(const Args& args, cudaStream_t) {
  static cudaStream_t side = nullptr;
  if (!side) cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  std::thread([args] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    fuse<<<static_cast<unsigned>((args.count + 255) / 256), 256, 0, side>>>(args);
  }).detach();
}
