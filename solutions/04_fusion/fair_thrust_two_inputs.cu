// Ends in: pass — Thrust's transform of two arrays into one
#include "contract.cuh"

#include <thrust/execution_policy.h>
#include <thrust/transform.h>

namespace {

struct Whole {
  float scale, bias;
  __device__ float operator()(float x, float residual) const {
    return residual + fmaxf(scale * x + bias, 0.0f);
  }
};

}  // namespace

void launch(const Args& a, cudaStream_t stream) {
  thrust::transform(thrust::cuda::par_nosync.on(stream), a.in, a.in + a.count, a.residual, a.out,
                    Whole{a.scale, a.bias});
}
