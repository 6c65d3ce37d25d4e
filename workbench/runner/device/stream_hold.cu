// The waiting kernel and its flag in host memory.
#include "runner/device/stream_hold.hpp"

#include <cuda_runtime.h>

#include "runner/device/cuda_check.hpp"
#include "runner/device/global_timer.cuh"

namespace klab::runner {
namespace {

constexpr std::uint64_t longest_hold_ns = 600'000;

__global__ void wait_for_release(const volatile unsigned* released) {
  const std::uint64_t start = nanoseconds_now();
  while (!*released && nanoseconds_now() - start < longest_hold_ns) {
  }
}

volatile unsigned* flag(const PinnedBuffer& memory) {
  return reinterpret_cast<volatile unsigned*>(memory.get());
}

Stream make_independent_stream() {
  cudaStream_t stream = nullptr;
  check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return Stream(stream);
}

}  // namespace

StreamHold::StreamHold()
    : released_(make_pinned_buffer(sizeof(unsigned))),
      ended_(make_event()),
      beside_(make_independent_stream()) {}

void StreamHold::begin(cudaStream_t stream) {
  *flag(released_) = 0;
  wait_for_release<<<1, 1, 0, stream>>>(flag(released_));
  check_cuda(cudaGetLastError());
  check_cuda(cudaEventRecord(ended_.get(), stream));
}

bool StreamHold::is_holding() const { return cudaEventQuery(ended_.get()) == cudaErrorNotReady; }

void StreamHold::release() { *flag(released_) = 1; }

}  // namespace klab::runner
