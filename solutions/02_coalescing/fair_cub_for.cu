// Ends in: pass — CUB's loop over all elements, with a functor that looks up the gain
#include "contract.cuh"

#include <cub/device/device_for.cuh>

namespace {

struct Scale {
  Args args;
  __device__ void operator()(std::int64_t i) const {
    args.out[i] = args.gain[i / args.columns] * args.in[i];
  }
};

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cub::DeviceFor::Bulk(args.rows * args.columns, Scale{args}, stream);
}
