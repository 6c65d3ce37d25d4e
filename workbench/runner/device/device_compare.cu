// Compares device memory in words of 8 bytes, then finds the byte.
#include "runner/device/device_compare.hpp"

#include <cuda_runtime.h>

#include <algorithm>

#include "runner/device/cuda_check.hpp"

namespace klab::runner {
namespace {

using Word = unsigned long long;
constexpr Word none = ~0ull;

__global__ void find_difference(const Word* a, const Word* b, std::size_t bytes, Word* first) {
  const std::size_t words = bytes / sizeof(Word);
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  const std::size_t start = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  for (std::size_t i = start; i < words; i += stride) {
    const Word difference = a[i] ^ b[i];
    if (difference) {  // little-endian: the lowest set bit lies in the first differing byte
      atomicMin(first, i * sizeof(Word) + (__ffsll(static_cast<long long>(difference)) - 1) / 8);
      return;
    }
  }
  if (start == 0) {
    const auto* a_bytes = reinterpret_cast<const unsigned char*>(a);
    const auto* b_bytes = reinterpret_cast<const unsigned char*>(b);
    for (std::size_t i = words * sizeof(Word); i < bytes; ++i)
      if (a_bytes[i] != b_bytes[i]) {
        atomicMin(first, static_cast<Word>(i));
        return;
      }
  }
}

}  // namespace

std::optional<std::size_t> first_device_difference(const void* a, const void* b, std::size_t bytes,
                                                   void* answer) {
  Word first = none;
  check_cuda(cudaMemcpy(answer, &first, sizeof(first), cudaMemcpyHostToDevice));
  const std::size_t blocks = std::clamp<std::size_t>(bytes / sizeof(Word) / 256, 1, 4096);
  find_difference<<<static_cast<unsigned>(blocks), 256>>>(
      static_cast<const Word*>(a), static_cast<const Word*>(b), bytes, static_cast<Word*>(answer));
  check_cuda(cudaGetLastError());
  check_cuda(cudaMemcpy(&first, answer, sizeof(first), cudaMemcpyDeviceToHost));
  if (first == none) return std::nullopt;
  return static_cast<std::size_t>(first);
}

}  // namespace klab::runner
