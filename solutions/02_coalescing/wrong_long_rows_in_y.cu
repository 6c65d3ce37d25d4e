// Rejected by: correct — long rows have blocks of their own, and which row it is y says: of a grid
// of more than 65,535 rows there nothing runs
#include "contract.cuh"

namespace {

constexpr int threads = 256;
constexpr std::int64_t long_row = 1024;

__global__ void __launch_bounds__(threads) scale(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(threads) + threadIdx.x;
  if (i < args.rows * args.columns) args.out[i] = args.gain[i / args.columns] * args.in[i];
}

__global__ void __launch_bounds__(threads) scale_long(Args args) {
  const std::int64_t row = blockIdx.y;
  const std::int64_t column = blockIdx.x * static_cast<std::int64_t>(threads) + threadIdx.x;
  if (column >= args.columns) return;
  const std::int64_t i = row * args.columns + column;
  args.out[i] = args.gain[row] * args.in[i];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks_for = [](std::int64_t count) {
    return static_cast<unsigned>((count + threads - 1) / threads);
  };
  if (args.columns < long_row)
    scale<<<blocks_for(args.rows * args.columns), threads, 0, stream>>>(args);
  else
    scale_long<<<dim3(blocks_for(args.columns), static_cast<unsigned>(args.rows)), threads, 0,
                 stream>>>(args);
}
