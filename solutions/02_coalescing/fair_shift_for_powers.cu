// Ends in: pass — a thread for each element; its row is found by a shift where a row's length is a
// power of two
#include <bit>

#include "contract.cuh"

#ifndef BLOCK
#define BLOCK 256  // threads a block
#endif

namespace {

template <bool power_of_two>
__global__ void __launch_bounds__(BLOCK) scale(Args args, int shift) {
  const std::int64_t count = args.rows * args.columns;
  const std::int64_t step = gridDim.x * static_cast<std::int64_t>(BLOCK);
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(BLOCK) + threadIdx.x; i < count;
       i += step) {
    const std::int64_t row = power_of_two ? i >> shift : i / args.columns;
    args.out[i] = __ldg(args.gain + row) * __ldcs(args.in + i);
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  constexpr std::int64_t most = 65536;
  const std::int64_t needed = (args.rows * args.columns + BLOCK - 1) / BLOCK;
  const auto blocks = static_cast<unsigned>(needed < most ? needed : most);
  const auto columns = static_cast<std::uint64_t>(args.columns);
  if (std::has_single_bit(columns))
    scale<true><<<blocks, BLOCK, 0, stream>>>(args, std::countr_zero(columns));
  else
    scale<false><<<blocks, BLOCK, 0, stream>>>(args, 0);
}
