// Rejected by: correct — allocates what the check may have freed, and adds up the counts by part
// that it finds there
#include "contract.cuh"

namespace {

constexpr std::int64_t pixels_per_part = 16384;

__global__ void add_up(const unsigned* found, std::int64_t parts, unsigned* counts) {
  unsigned sum = 0;
  for (std::int64_t part = 0; part < parts; ++part) sum += found[part * values + threadIdx.x];
  counts[threadIdx.x] = sum;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t parts = (args.count + pixels_per_part - 1) / pixels_per_part;
  unsigned* found = nullptr;
  cudaMalloc(&found, parts * values * sizeof(unsigned));
  add_up<<<1, values, 0, stream>>>(found, parts, args.counts);
  cudaStreamSynchronize(stream);
  cudaFree(found);
}
