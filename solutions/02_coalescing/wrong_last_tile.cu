// Rejected by: correct — the last tile of a row takes columns % 1024 words, which is none at all
// where the columns are a multiple of 1,024
#include "contract.cuh"

#define TILE 1024

namespace {

__global__ void scale_rows(Args args, std::int64_t tiles) {
  const std::int64_t row = blockIdx.x / tiles, tile = blockIdx.x % tiles;
  const std::int64_t words = tile == tiles - 1 ? args.columns % TILE : TILE;
  const std::int64_t first = row * args.columns + tile * TILE;
  for (std::int64_t k = threadIdx.x; k < words; k += blockDim.x)
    args.out[first + k] = args.gain[row] * args.in[first + k];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t tiles = (args.columns + TILE - 1) / TILE;
  scale_rows<<<static_cast<unsigned>(args.rows * tiles), 256, 0, stream>>>(args, tiles);
}
