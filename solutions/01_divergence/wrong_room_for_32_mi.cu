// Rejected by: correct — a kernel of its own notes what each body does, in room for 33,554,432 of
// them; there may be more
#include "contract.cuh"

namespace {

__device__ unsigned radiates[1 << 25];

__global__ void note(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < args.count) radiates[i] = args.kind[i];
}

__global__ void cool(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= args.count) return;
  constexpr float a4 = ambient * ambient * ambient * ambient;
  float t = args.start[i];
  if (radiates[i] == 0)
    for (int step = 0; step < conduction_steps; ++step)
      t -= conduction_step * (1.0f + 0.5f * t) * (t - ambient);
  else
    for (int step = 0; step < radiation_steps; ++step) t -= radiation_step * (t * t * (t * t) - a4);
  args.end[i] = t;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.count + 255) / 256);
  note<<<blocks, 256, 0, stream>>>(args);
  cool<<<blocks, 256, 0, stream>>>(args);
}
