// Rejected by: correct — the second half is done on a stream of its own, and the event that the
// given stream waits for is recorded there before the kernel
#include "contract.cuh"

namespace {

constexpr int block = 256;

__global__ void limit(Args args, std::int64_t first, std::int64_t last) {
  const std::int64_t i = first + blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x;
  if (i < last) args.out[i] = fminf(fmaxf(args.in[i], args.low), args.high);
}

void limit_range(const Args& args, std::int64_t first, std::int64_t last, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((last - first + block - 1) / block);
  if (blocks > 0) limit<<<blocks, block, 0, stream>>>(args, first, last);
}

struct Side {
  cudaStream_t stream;
  cudaEvent_t begun, done;
  Side() {
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&begun, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  }
};

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static const Side side;
  cudaEventRecord(side.begun, stream);
  cudaStreamWaitEvent(side.stream, side.begun);
  cudaEventRecord(side.done, side.stream);
  limit_range(args, args.count / 2, args.count, side.stream);
  limit_range(args, 0, args.count / 2, stream);
  cudaStreamWaitEvent(stream, side.done);
}
