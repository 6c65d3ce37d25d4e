// Ends in: pass — cooperative groups: a template of tiles of 32 or 16 lanes, each with a row, read
// by
// __ldg
#include "contract.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

namespace {

template <int Lanes>
__global__ void scale_rows(Args args) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<Lanes>(block);
  const std::int64_t row =
      blockIdx.x * static_cast<std::int64_t>(tile.meta_group_size()) + tile.meta_group_rank();
  if (row >= args.rows) return;
  const float gain = tile.shfl(__ldg(args.gain + row), 0);
  const auto words = [&](auto* matrix) { return matrix + row * args.columns; };
  for (std::int64_t column = tile.thread_rank(); column < args.columns; column += tile.size())
    words(args.out)[column] = gain * __ldg(words(args.in) + column);
}

template <int Lanes>
void scale(const Args& args, cudaStream_t stream) {
  constexpr int rows = 256 / Lanes;
  scale_rows<Lanes><<<static_cast<unsigned>((args.rows + rows - 1) / rows), 256, 0, stream>>>(args);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  if (args.columns > 16)
    scale<32>(args, stream);
  else
    scale<16>(args, stream);
}
