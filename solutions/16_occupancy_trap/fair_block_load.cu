// Ends in: pass — four neighbours a thread, loaded and stored through shared memory by CUB
#include <cub/block/block_load.cuh>
#include <cub/block/block_store.cuh>

#include "contract.cuh"

#define BLOCK 256

namespace {

constexpr int points = 4;

__global__ void evaluate(Args args) {
  using Load = cub::BlockLoad<float, BLOCK, points, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<float, BLOCK, points, cub::BLOCK_STORE_TRANSPOSE>;
  __shared__ union {
    Load::TempStorage load;
    Store::TempStorage store;
  } shared;

  const std::int64_t first = blockIdx.x * static_cast<std::int64_t>(BLOCK * points);
  const std::int64_t left = args.count - first;
  const int here = left < BLOCK * points ? static_cast<int>(left) : BLOCK * points;

  float x[points], value[points] = {};
  Load(shared.load).Load(args.points + first, x, here, 0.0F);
  for (int k = args.terms - 1; k >= 0; --k) {
    const float coefficient = args.coefficients[k];
#pragma unroll
    for (int p = 0; p < points; ++p) value[p] = value[p] * x[p] + coefficient;
  }
  __syncthreads();  // the memory that the load used is the store's now
  Store(shared.store).Store(args.values + first, value, here);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t tile = BLOCK * points;
  evaluate<<<static_cast<unsigned>((args.count + tile - 1) / tile), BLOCK, 0, stream>>>(args);
}
