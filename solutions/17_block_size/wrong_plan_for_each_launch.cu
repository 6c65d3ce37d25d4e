// Rejected by: correct — each launch makes a plan in the host's memory, and nobody frees it
#include "contract.cuh"

#include <vector>

namespace {

constexpr unsigned pieces = 512;

/// Where each piece of the signal begins.
struct Plan {
  std::vector<std::int64_t> begins;
  explicit Plan(std::int64_t count) : begins(pieces + 1) {
    for (unsigned i = 0; i <= pieces; ++i) begins[i] = count * i / pieces;
  }
};

__global__ void piece(Args a, std::int64_t begin, std::int64_t end) {
  const std::int64_t i = begin + blockIdx.x * std::int64_t{256} + threadIdx.x;
  if (i < end) a.out[i] = fminf(fmaxf(a.in[i], a.low), a.high);
}

}  // namespace

void launch(const Args& a, cudaStream_t stream) {
  const Plan* plan = new Plan(a.count);
  const std::int64_t half = plan->begins[pieces / 2], end = plan->begins.back();
  if (half > 0) piece<<<static_cast<unsigned>((half + 255) / 256), 256, 0, stream>>>(a, 0, half);
  piece<<<static_cast<unsigned>((end - half + 255) / 256), 256, 0, stream>>>(a, half, end);
}
