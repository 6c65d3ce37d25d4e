// Ends in: pass — Thrust's transform over the numbers of all elements, on the given stream
#include "contract.cuh"

#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>

namespace {

struct Scale {
  const float* in;
  const float* gain;
  std::int64_t columns;
  __device__ float operator()(std::int64_t i) const { return gain[i / columns] * in[i]; }
};

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const thrust::counting_iterator<std::int64_t> first(0);
  thrust::transform(thrust::cuda::par_nosync.on(stream), first, first + args.rows * args.columns,
                    args.out, Scale{args.in, args.gain, args.columns});
}
