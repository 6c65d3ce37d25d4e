// Right, but fails: time or cause — eight points a thread, but a single warp on each
// multiprocessor: three of four schedulers have nothing to do
#include "contract.cuh"

namespace {

__global__ void __launch_bounds__(32) evaluate(Args args) {
  for (std::int64_t first = blockIdx.x * 256ll + threadIdx.x; first < args.count;
       first += gridDim.x * 256ll) {
    float x[8], value[8] = {};
#pragma unroll
    for (int p = 0; p < 8; ++p)
      x[p] = first + p * 32 < args.count ? args.points[first + p * 32] : 0;
    for (int k = args.terms - 1; k >= 0; --k) {
      const float coefficient = args.coefficients[k];
#pragma unroll
      for (int p = 0; p < 8; ++p) value[p] = value[p] * x[p] + coefficient;
    }
#pragma unroll
    for (int p = 0; p < 8; ++p)
      if (first + p * 32 < args.count) args.values[first + p * 32] = value[p];
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  int count = 0;
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
  evaluate<<<count, 32, 0, stream>>>(args);
}
