// Rejected by: correct — large arrays go through two kernels on two streams, and the event that the
// second one waits for is recorded in front of the first one
#include "contract.cuh"

namespace {

constexpr int block = 256;
constexpr std::int64_t large = 2 << 20;  // elements

__global__ void fuse(Args a) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x;
  if (i < a.count) a.out[i] = a.residual[i] + fmaxf(a.in[i] * a.scale + a.bias, 0.0f);
}

__global__ void scale(Args a) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x;
  if (i < a.count) a.out[i] = a.in[i] * a.scale + a.bias;
}

__global__ void add(Args a) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x;
  if (i < a.count) a.out[i] = a.residual[i] + fmaxf(a.out[i], 0.0f);
}

struct Side {
  cudaStream_t stream = nullptr;
  cudaEvent_t scaled = nullptr, done = nullptr;
  Side() {
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&scaled, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  }
};

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.count + block - 1) / block);
  if (args.count < large) {
    fuse<<<blocks, block, 0, stream>>>(args);
    return;
  }
  static const Side side;
  cudaEventRecord(side.scaled, stream);
  scale<<<blocks, block, 0, stream>>>(args);
  cudaStreamWaitEvent(side.stream, side.scaled, 0);
  add<<<blocks, block, 0, side.stream>>>(args);
  cudaEventRecord(side.done, side.stream);
  cudaStreamWaitEvent(stream, side.done, 0);
}
