// Rejected by: correct — from 2^24 pixels on, half of them go to a stream of its own, which is
// joined but does not wait for what the given stream was given before
#include "contract.cuh"

namespace {

constexpr int block = 256;  // threads a block

constexpr int turns = 2;  // vectors a thread

// The pixels from byte `begin` to byte `end`.
__global__ void __launch_bounds__(block)
    brighten(const unsigned char* in, unsigned char* out, std::int64_t begin, std::int64_t end,
             unsigned more) {
  const std::int64_t at =
      begin - begin % 16 +
      (blockIdx.x * static_cast<std::int64_t>(turns * block) + threadIdx.x) * 16;
#pragma unroll
  for (int k = 0; k < turns; ++k) {
    const std::int64_t here = at + k * (16 * block);
    if (here >= begin && here + 16 <= end) {
      uint4 p = *reinterpret_cast<const uint4*>(in + here);
      p.x = __vaddus4(p.x, more);
      p.y = __vaddus4(p.y, more);
      p.z = __vaddus4(p.z, more);
      p.w = __vaddus4(p.w, more);
      *reinterpret_cast<uint4*>(out + here) = p;
    } else {
      for (std::int64_t i = max(here, begin); i < min(here + 16, end); ++i)
        out[i] = __vaddus4(in[i], more);
    }
  }
}

void start(const Args& args, std::int64_t begin, std::int64_t end, cudaStream_t stream) {
  const std::int64_t vectors = (end - (begin - begin % 16) + 15) / 16;
  const auto blocks = static_cast<unsigned>((vectors + turns * block - 1) / (turns * block));
  brighten<<<blocks, block, 0, stream>>>(args.in, args.out, begin, end, args.more * 0x01010101u);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const std::int64_t begin = args.header, end = args.header + args.pixels;
  if (args.pixels < (1 << 24)) {
    start(args, begin, end, stream);
    return;
  }
  // Two halves at the same time keep more loads under way.
  static const cudaStream_t side = [] {
    cudaStream_t made;
    cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking);
    return made;
  }();
  static const cudaEvent_t done = [] {
    cudaEvent_t made;
    cudaEventCreateWithFlags(&made, cudaEventDisableTiming);
    return made;
  }();
  const std::int64_t middle = (begin + args.pixels / 2) / 256 * 256;
  start(args, begin, middle, stream);
  start(args, middle, end, side);
  cudaEventRecord(done, side);
  cudaStreamWaitEvent(stream, done, 0);
}
