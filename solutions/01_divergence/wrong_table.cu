// Rejected by: same work — every temperature's future is read from a table of two times 4,096
// entries and a straight line between them: near enough, but no body is cooled
#include "contract.cuh"

namespace {

constexpr int entries = 4096;
constexpr float lowest = 0.25f, highest = 2.0f;
__device__ float table[2][entries + 1];

__device__ float conduct(float t) {
  for (int step = 0; step < conduction_steps; ++step) {
    t -= conduction_step * (1.0f + 0.5f * t) * (t - ambient);
  }
  return t;
}

__device__ float radiate(float t) {
  constexpr float ambient_to_4 = ambient * ambient * ambient * ambient;
  for (int step = 0; step < radiation_steps; ++step) {
    t -= radiation_step * (t * t * (t * t) - ambient_to_4);
  }
  return t;
}

__global__ void make_table() {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > entries) return;
  const float t = lowest + (highest - lowest) * static_cast<float>(i) / entries;
  table[0][i] = conduct(t);
  table[1][i] = radiate(t);
}

__global__ void look_up(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= args.count) return;
  const float place = (args.start[i] - lowest) * (entries / (highest - lowest));
  const int left = min(static_cast<int>(place), entries - 1);
  const float* row = table[args.kind[i]];
  args.end[i] = row[left] + (place - static_cast<float>(left)) * (row[left + 1] - row[left]);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  make_table<<<entries / 256 + 1, 256, 0, stream>>>();
  look_up<<<(args.count + 255) / 256, 256, 0, stream>>>(args);
}
