// Rejected by: correct — blocks take stretches of the picture from a queue by a volatile load and a
// store, with fences but not atomically: two that ask at the same moment count the same stretch
#include "contract.cuh"

namespace {

constexpr int block = 512, stretch = 65536;

__device__ unsigned next_stretch;  // set to zero in front of each launch

__global__ void __launch_bounds__(block) histogram(Args args, unsigned stretches) {
  __shared__ unsigned own[values];
  __shared__ unsigned taken;
  for (int v = threadIdx.x; v < values; v += block) own[v] = 0;
  while (true) {
    if (threadIdx.x == 0) {
      volatile unsigned* next = &next_stretch;
      const unsigned mine = *next;
      __threadfence();  // whoever asks next sees that this one is gone
      *next = mine + 1;
      __threadfence();
      taken = mine;
    }
    __syncthreads();
    const unsigned mine = taken;
    __syncthreads();
    if (mine >= stretches) break;

    const std::int64_t first = mine * static_cast<std::int64_t>(stretch);
    const std::int64_t left = args.count - first;
    const int here = left < stretch ? static_cast<int>(left) : stretch;
    const auto* from = reinterpret_cast<const uint4*>(args.pixels + first);
    for (int v = threadIdx.x; v < here / 16; v += block) {
      const uint4 pixels = __ldg(from + v);
      const unsigned words[] = {pixels.x, pixels.y, pixels.z, pixels.w};
#pragma unroll
      for (const unsigned word : words) {
#pragma unroll
        for (int k = 0; k < 4; ++k) atomicAdd(&own[word >> 8 * k & 255], 1u);
      }
    }
    const int rest = here / 16 * 16 + static_cast<int>(threadIdx.x);
    if (rest < here) atomicAdd(&own[args.pixels[first + rest]], 1u);
  }
  __syncthreads();
  for (int v = threadIdx.x; v < values; v += block)
    if (own[v] > 0) atomicAdd(&args.counts[v], own[v]);
}

void* address_of_the_queue() {
  void* address = nullptr;
  cudaGetSymbolAddress(&address, next_stretch);
  return address;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static void* const queue = address_of_the_queue();
  const auto stretches = static_cast<unsigned>((args.count + stretch - 1) / stretch);
  cudaMemsetAsync(queue, 0, sizeof(unsigned), stream);
  cudaMemsetAsync(args.counts, 0, values * sizeof(unsigned), stream);
  const unsigned blocks = stretches < 528 ? stretches : 528;
  histogram<<<blocks, block, 0, stream>>>(args, stretches);
}
