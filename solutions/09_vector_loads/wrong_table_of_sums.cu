// Rejected by: correct — a table of what each sum becomes, whose last entry, for 255 + 127, was
// forgotten
#include "contract.cuh"

constexpr int block_threads = 256;

namespace {

struct Table {
  unsigned char limited[383];
};

constexpr Table filled() {
  Table table{};
  for (int sum = 0; sum < 382; ++sum)
    table.limited[sum] = static_cast<unsigned char>(sum < 255 ? sum : 255);
  return table;
}

__constant__ Table table = filled();

__device__ unsigned four(unsigned word, unsigned char more) {
  unsigned out = 0;
#pragma unroll
  for (int shift = 0; shift < 32; shift += 8)
    out |= unsigned{table.limited[(word >> shift & 255) + more]} << shift;
  return out;
}

__global__ void __launch_bounds__(block_threads) brighten(Args args) {
  const unsigned char* in = args.in + args.header;
  unsigned char* out = args.out + args.header;
  const std::int64_t thread = blockIdx.x * static_cast<std::int64_t>(block_threads) + threadIdx.x;
  const std::int64_t head = min(-args.header & 15, args.pixels);
  const std::int64_t vectors = (args.pixels - head) / 16;
  const std::int64_t tail = head + 16 * vectors;
  if (thread < head) out[thread] = table.limited[in[thread] + args.more];
  if (tail + thread < args.pixels)
    out[tail + thread] = table.limited[in[tail + thread] + args.more];
  if (thread >= vectors) return;
  const uint4 v = reinterpret_cast<const uint4*>(in + head)[thread];
  reinterpret_cast<uint4*>(out + head)[thread] = make_uint4(
      four(v.x, args.more), four(v.y, args.more), four(v.z, args.more), four(v.w, args.more));
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t threads = args.pixels / 16 + 16;
  brighten<<<static_cast<unsigned>((threads + block_threads - 1) / block_threads), block_threads, 0,
             stream>>>(args);
}
