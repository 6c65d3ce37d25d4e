// Ends in: pass — blocks of 128 threads, each with four samples a block's width apart
#include "contract.cuh"

namespace {

constexpr int block = 128, turns = 4;

__global__ void limit(Args args) {
  std::int64_t i = blockIdx.x * static_cast<std::int64_t>(turns * block) + threadIdx.x;
  for (int turn = 0; turn < turns; ++turn, i += block)
    if (i < args.count) args.out[i] = fminf(fmaxf(args.in[i], args.low), args.high);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  limit<<<static_cast<unsigned>((args.count + turns * block - 1) / (turns * block)), block, 0,
          stream>>>(args);
}
