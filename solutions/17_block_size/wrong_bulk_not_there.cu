// Rejected by: correct — arrives at the barrier of a bulk copy, and does not wait for it
#include "contract.cuh"

#include <cuda/barrier>

namespace {

constexpr int samples = 512;

__global__ void limit(Args a) {
  __shared__ alignas(16) float stage[samples];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> there;
  if (threadIdx.x == 0) init(&there, blockDim.x);
  __syncthreads();
  const std::int64_t begin = blockIdx.x * static_cast<std::int64_t>(samples);
  const bool whole = begin + samples <= a.count;
  if (whole && threadIdx.x == 0)
    cuda::memcpy_async(stage, a.in + begin, cuda::aligned_size_t<16>(sizeof stage), there);
  const auto arrived = there.arrive();
  static_cast<void>(arrived);
  for (unsigned k = threadIdx.x; k < samples && begin + k < a.count; k += blockDim.x)
    a.out[begin + k] = fminf(fmaxf(whole ? stage[k] : a.in[begin + k], a.low), a.high);
}

}  // namespace

void launch(const Args& a, cudaStream_t stream) {
  limit<<<static_cast<unsigned>((a.count + samples - 1) / samples), samples, 0, stream>>>(a);
}
