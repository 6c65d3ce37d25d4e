// Rejected by: cause or time — the additions go to page-locked memory of the host, where no counter
// of the device's memory sees a word; at the end the counts are copied
#include "contract.cuh"

namespace {

__global__ void histogram(Args args, unsigned* next_door) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < args.count) atomicAdd_system(&next_door[args.pixels[i]], 1u);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static unsigned* next_door = nullptr;
  if (!next_door) cudaMallocHost(&next_door, values * sizeof(unsigned));
  const auto blocks = static_cast<unsigned>((args.count + 255) / 256);
  cudaMemsetAsync(next_door, 0, values * sizeof(unsigned), stream);
  histogram<<<blocks, 256, 0, stream>>>(args, next_door);
  cudaMemcpyAsync(args.counts, next_door, values * sizeof(unsigned), cudaMemcpyHostToDevice,
                  stream);
}
