// Rejected by: hang — half of a block fetches ahead for the other half; in each fourth turn it
// comes to the barrier of the other stage
#include "contract.cuh"

namespace {

constexpr int half = 64;
constexpr int threads = 2 * half;
enum Barrier { full = 1, empty = 3 };  // of two stages each

__device__ void meet(int barrier) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(threads) : "memory");
}
__device__ void arrive(int barrier) {
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "n"(threads) : "memory");
}

__global__ void __launch_bounds__(threads) fuse(Args args) {
  __shared__ float in[2][half], residual[2][half];
  const std::int64_t tiles = (args.count + half - 1) / half;
  const int t = threadIdx.x % half;
  const bool fetches = threadIdx.x < half;
  if (!fetches) arrive(empty);
  if (!fetches && blockIdx.x + gridDim.x < tiles) arrive(empty + 1);
  int turn = 0;
  for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x, ++turn) {
    const int stage = turn % 2;
    const std::int64_t i = tile * half + t;
    if (fetches) {
      meet(empty + stage);
      if (i < args.count) in[stage][t] = args.in[i], residual[stage][t] = args.residual[i];
      arrive(full + (turn % 4 == 3 ? 0 : stage));
    } else {
      meet(full + stage);
      if (i < args.count)
        args.out[i] = residual[stage][t] + fmaxf(args.scale * in[stage][t] + args.bias, 0.0f);
      if (tile + 2 * static_cast<std::int64_t>(gridDim.x) < tiles) arrive(empty + stage);
    }
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  constexpr std::int64_t most = 792;
  const std::int64_t tiles = (args.count + half - 1) / half;
  fuse<<<static_cast<unsigned>(tiles < most ? tiles : most), threads, 0, stream>>>(args);
}
