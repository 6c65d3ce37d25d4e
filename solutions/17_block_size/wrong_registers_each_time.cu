// Rejected by: correct — each launch registers another page of the host for its limits, and none is
// ever given back
#include "contract.cuh"

namespace {

constexpr int page = 4096, pages = 512;

__global__ void limit(Args a, const float* limits) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < a.count) a.out[i] = fminf(fmaxf(a.in[i], limits[0]), limits[1]);
}

}  // namespace

void launch(const Args& a, cudaStream_t stream) {
  alignas(page) static char room[pages][page];
  static int next = 0;
  float* const limits = reinterpret_cast<float*>(room[next++ % pages]);
  cudaHostRegister(limits, page, cudaHostRegisterDefault);
  limits[0] = a.low;
  limits[1] = a.high;
  limit<<<static_cast<unsigned>((a.count + 255) / 256), 256, 0, stream>>>(a, limits);
}
