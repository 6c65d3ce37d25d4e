// Ends in: pass — CUB's loop over the numbers of all elements, in vectors where it can
#include "contract.cuh"

#include <cub/device/device_for.cuh>

namespace {

struct Whole {
  Args a;
  __device__ void operator()(std::int64_t i) const {
    a.out[i] = a.residual[i] + fmaxf(fmaf(a.scale, a.in[i], a.bias), 0.0f);
  }
};

}  // namespace

void launch(const Args& a, cudaStream_t stream) { cub::DeviceFor::Bulk(a.count, Whole{a}, stream); }
