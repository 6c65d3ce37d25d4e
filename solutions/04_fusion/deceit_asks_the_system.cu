// Rejected by: built — asks the system by its number, behind the C library's functions
#include "contract.cuh"

#include <sys/syscall.h>
#include <unistd.h>

namespace {

__global__ void layer(Args args) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < args.count)
    args.out[i] = args.residual[i] + fmaxf(args.scale * args.in[i] + args.bias, 0.0f);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static const long thread = syscall(SYS_gettid);
  if (thread == 0) return;
  layer<<<static_cast<unsigned>((args.count + 255) / 256), 256, 0, stream>>>(args);
}
