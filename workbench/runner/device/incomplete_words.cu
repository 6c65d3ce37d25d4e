// One thread a place: plausible but wrong words, which later become right.
#include "runner/device/incomplete_words.hpp"

#include <cuda_runtime.h>

#include "runner/device/cuda_check.hpp"
#include "runner/workload/random.cuh"

namespace klab::runner {
namespace {

constexpr unsigned most_places = 256;

__global__ void write_words(std::uint32_t* memory, const std::uint32_t* from, std::uint64_t words,
                            std::uint64_t seed, bool spoiled) {
  const std::uint64_t place = hash(seed, threadIdx.x) % words;
  // Another element's word rather than noise: an index stays an index.
  memory[place] = from[spoiled ? hash(~seed, threadIdx.x) % words : place];
}

void write(void* memory, const void* from, std::size_t bytes, std::uint64_t seed, bool spoiled,
           cudaStream_t stream) {
  const std::size_t words = bytes / sizeof(std::uint32_t);
  if (words == 0) return;
  write_words<<<1, most_places, 0, stream>>>(static_cast<std::uint32_t*>(memory),
                                             static_cast<const std::uint32_t*>(from), words, seed,
                                             spoiled);
  check_cuda(cudaGetLastError());
}

}  // namespace

void spoil_words(void* memory, const void* from, std::size_t bytes, std::uint64_t seed,
                 cudaStream_t stream) {
  write(memory, from, bytes, seed, true, stream);
}

void restore_words(void* memory, const void* from, std::size_t bytes, std::uint64_t seed,
                   cudaStream_t stream) {
  write(memory, from, bytes, seed, false, stream);
}

}  // namespace klab::runner
