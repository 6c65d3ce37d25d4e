// Rejected by: correct — few long rows are cut into parts of whole tiles, so the last ones may
// begin behind the row's end; what is left for such a part is computed without a sign, and it
// writes on
#include "contract.cuh"

namespace {

constexpr int block = 256;
constexpr std::uint64_t tile = 128;          // columns
constexpr std::uint64_t many_blocks = 2048;  // keep the device busy

using Count = std::uint64_t;

Count up(Count n, Count unit) { return (n + unit - 1) / unit; }

__global__ void __launch_bounds__(block) scale(Args args, Count parts, Count each) {
  const Count row = blockIdx.x / parts, begin = blockIdx.x % parts * each;
  const Count columns = args.columns, left = columns - begin;
  const float* const from = args.in + row * columns + begin;
  float* const to = args.out + row * columns + begin;
  const float gain = args.gain[row];
  const Count count = left < each ? left : each;
  for (Count i = threadIdx.x; i < count; i += block) to[i] = gain * from[i];
}

__global__ void __launch_bounds__(block) scale_short_rows(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x;
  if (i < args.rows * args.columns) args.out[i] = args.gain[i / args.columns] * args.in[i];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const Count rows = args.rows, columns = args.columns;
  if (columns < 16 * tile || rows >= many_blocks) {
    scale_short_rows<<<static_cast<unsigned>(up(rows * columns, block)), block, 0, stream>>>(args);
    return;
  }
  const Count wanted = up(many_blocks, rows), most = up(columns, 4 * tile);
  const Count parts = wanted < most ? wanted : most;
  const Count each = up(up(columns, parts), tile) * tile;
  scale<<<static_cast<unsigned>(rows * parts), block, 0, stream>>>(args, parts, each);
}
