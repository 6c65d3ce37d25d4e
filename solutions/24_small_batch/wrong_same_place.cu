// Rejected by: correct — leaves out whatever lies at the same place, to leave out the star itself,
// and adds that one at the end: two stars may share a place
#include "contract.cuh"

namespace {

constexpr int block = 256;

__global__ void add_up(Args args) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i >= args.bodies) return;
  const std::int64_t first = blockIdx.y * static_cast<std::int64_t>(args.bodies);
  const float4 own = args.stars[first + i];
  float sum = own.w * rsqrtf(softening);
  for (int k = 0; k < args.bodies; ++k) {
    const float4 star = args.stars[first + k];
    const float x = star.x - own.x, y = star.y - own.y, z = star.z - own.z;
    const float squared = x * x + y * y + z * z;
    if (squared > 0) sum += star.w * rsqrtf(squared + softening);
  }
  args.potential[first + i] = sum;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const dim3 blocks(static_cast<unsigned>((args.bodies + block - 1) / block),
                    static_cast<unsigned>(args.clusters));
  add_up<<<blocks, block, 0, stream>>>(args);
}
