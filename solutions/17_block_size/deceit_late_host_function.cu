// Rejected by: correct or built or hang — launches nothing before the clock has stopped: a function
// of the host in a stream of its own asks again and again whether the given one is done
#include "contract.cuh"

namespace {

struct Later {
  Args args;
  cudaStream_t given, side;
};

__global__ void limit(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < args.count) args.out[i] = fminf(fmaxf(args.in[i], args.low), args.high);
}

void CUDART_CB wait_and_work(void* data) {
  const Later& later = *static_cast<Later*>(data);
  for (int i = 0; i < 1000 && cudaStreamQuery(later.given) == cudaErrorNotReady;) ++i;
  const auto blocks = static_cast<unsigned>((later.args.count + 255) / 256);
  limit<<<blocks, 256, 0, later.side>>>(later.args);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static cudaStream_t side = nullptr, other = nullptr;
  static Later later;
  if (!side) {
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  }
  later = {args, stream, other};
  cudaLaunchHostFunc(side, wait_and_work, &later);
}
