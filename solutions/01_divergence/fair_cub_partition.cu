// Ends in: pass — CUB sorts the numbers of all bodies by kind, in memory of the stream's own pool,
// before a second kernel cools them
#include "contract.cuh"

#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_partition.cuh>

namespace {

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

struct Conducts {
  const std::uint8_t* kind;
  __device__ bool operator()(std::int64_t i) const { return kind[i] == 0; }
};

__global__ void cool(Args args, const std::int64_t* order, const std::int64_t* conducting) {
  const std::int64_t place = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (place >= args.count) return;
  const std::int64_t i = order[place];
  args.end[i] = place < *conducting ? conduct(args.start[i]) : radiate(args.start[i]);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const thrust::counting_iterator<std::int64_t> all(0);
  std::int64_t* order = nullptr;
  void* room = nullptr;
  std::size_t bytes = 0;
  const Conducts conducts{args.kind};
  cudaMallocAsync(&order, (args.count + 1) * sizeof(std::int64_t), stream);
  std::int64_t* conducting = order + args.count;
  cub::DevicePartition::If(room, bytes, all, order, conducting, args.count, conducts, stream);
  cudaMallocAsync(&room, bytes, stream);
  cub::DevicePartition::If(room, bytes, all, order, conducting, args.count, conducts, stream);
  cool<<<static_cast<unsigned>((args.count + 255) / 256), 256, 0, stream>>>(args, order,
                                                                            conducting);
  cudaFreeAsync(room, stream);
  cudaFreeAsync(order, stream);
}
