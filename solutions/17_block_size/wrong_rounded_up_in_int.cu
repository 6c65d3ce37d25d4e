// Rejected by: correct — lengths that an int holds go an easier way, where rounding up to whole
// blocks does not fit any more
#include "contract.cuh"

#include <climits>

namespace {

template <class Index>
__global__ void limit(const float* in, float* out, Index count, float low, float high) {
  const Index i = static_cast<Index>(blockIdx.x) * 256 + threadIdx.x;
  if (i < count) out[i] = fminf(fmaxf(in[i], low), high);
}

template <class Index>
void limit_all(const Args& a, Index count, cudaStream_t stream) {
  const Index blocks = (count + 255) / 256;
  limit<Index>
      <<<static_cast<unsigned>(blocks), 256, 0, stream>>>(a.in, a.out, count, a.low, a.high);
}

}  // namespace

void launch(const Args& a, cudaStream_t stream) {
  if (a.count <= INT_MAX)
    limit_all<int>(a, static_cast<int>(a.count), stream);
  else
    limit_all<std::int64_t>(a, a.count, stream);
}
