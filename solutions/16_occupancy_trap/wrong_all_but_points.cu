// Rejected by: cause — coefficients in shared memory, one block a multiprocessor, the next point on
// its way early: everything but more than one point a thread
#include "contract.cuh"

namespace {

__global__ void __launch_bounds__(256) evaluate(Args args) {
  __shared__ float c[most_terms];
  for (int k = threadIdx.x; k < args.terms; k += 256) c[k] = args.coefficients[k];
  __syncthreads();
  const std::int64_t step = gridDim.x * 256ll;
  std::int64_t i = blockIdx.x * 256ll + threadIdx.x;
  float next = i < args.count ? args.points[i] : 0;
  for (; i < args.count; i += step) {
    const float x = next;
    next = i + step < args.count ? args.points[i + step] : 0;
    float value = 0;
    for (int k = args.terms - 1; k >= 0; --k) value = value * x + c[k];
    args.values[i] = value;
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  int count = 0;
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
  evaluate<<<count, 256, 0, stream>>>(args);
}
