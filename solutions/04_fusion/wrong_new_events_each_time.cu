// Rejected by: correct — one kernel beside a stream and an event, which each launch makes anew and
// never gives back
#include "contract.cuh"

namespace {

__global__ void layer(Args args, std::int64_t first) {
  const std::int64_t i = first + std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < args.count)
    args.out[i] = args.residual[i] + fmaxf(args.scale * args.in[i] + args.bias, 0.0f);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  cudaStream_t side;
  cudaEvent_t begun, done;
  cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&begun, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  cudaEventRecord(begun, stream);
  cudaStreamWaitEvent(side, begun);
  layer<<<static_cast<unsigned>((args.count + 255) / 256), 256, 0, side>>>(args, 0);
  cudaEventRecord(done, side);
  cudaStreamWaitEvent(stream, done);
  cudaStreamDestroy(side);
}
