// Reading through the L2, and waiting by the GPU's own timer.
#include "runner/device/timing_kernels.hpp"

#include <cuda_runtime.h>

#include "core/measure/measure_policy.hpp"
#include "runner/device/cuda_check.hpp"
#include "runner/device/global_timer.cuh"

namespace klab::runner {
namespace {

__global__ void read_all(const uint4* memory, std::size_t count, unsigned* sink) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  unsigned seen = 0;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < count;
       i += stride) {
    const uint4 word = memory[i];
    seen |= word.x | word.y | word.z | word.w;
  }
  // The memory holds zeros, so nothing is written; the compiler cannot know.
  if (seen) *sink = seen;
}

__global__ void spin(std::uint64_t duration_ns) {
  const std::uint64_t start = nanoseconds_now();
  while (nanoseconds_now() - start < duration_ns) {
  }
}

std::size_t flush_bytes() {
  int device = 0;
  int l2_bytes = 0;
  check_cuda(cudaGetDevice(&device));
  check_cuda(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device));
  const auto bytes = static_cast<std::size_t>(policy::l2_flush_factor * l2_bytes);
  return (bytes + sizeof(uint4) - 1) / sizeof(uint4) * sizeof(uint4) + sizeof(uint4);
}

}  // namespace

ColdCache::ColdCache() : bytes_(flush_bytes()), memory_(make_device_buffer(bytes_)) {
  check_cuda(cudaMemset(memory_.get(), 0, bytes_));
}

void ColdCache::flush(cudaStream_t stream) const {
  const auto* words = reinterpret_cast<const uint4*>(memory_.get());
  read_all<<<1024, 512, 0, stream>>>(words, bytes_ / sizeof(uint4),
                                     reinterpret_cast<unsigned*>(memory_.get()));
  check_cuda(cudaGetLastError());
}

void delay(cudaStream_t stream, std::chrono::nanoseconds duration) {
  spin<<<1, 1, 0, stream>>>(static_cast<std::uint64_t>(duration.count()));
  check_cuda(cudaGetLastError());
}

}  // namespace klab::runner
