// The waiting kernel and its flag in host memory.
#include "runner/device/stream_hold.hpp"

#include <cuda_runtime.h>

#include "runner/device/cuda_check.hpp"
#include "runner/device/global_timer.cuh"

namespace klab::runner {
namespace {

constexpr std::chrono::nanoseconds for_calls = std::chrono::microseconds(600);
/// Memory for arrays that the pool does not hold takes a millisecond or two.
constexpr std::chrono::nanoseconds for_slow_calls = std::chrono::milliseconds(5);

/// Holds in a row that a launch may outlast before it counts as one that waits for the device.
constexpr int most_outlasted = 2;

__global__ void wait_for_release(const volatile unsigned* released, std::uint64_t longest_ns) {
  const std::uint64_t start = nanoseconds_now();
  while (!*released && nanoseconds_now() - start < longest_ns) {
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
    : longest_(for_calls),
      released_(make_pinned_buffer(sizeof(unsigned))),
      ended_(make_event()),
      beside_(make_independent_stream()) {}

void StreamHold::begin(cudaStream_t stream) {
  *flag(released_) = 0;
  wait_for_release<<<1, 1, 0, stream>>>(flag(released_),
                                        static_cast<std::uint64_t>(longest_.count()));
  check_cuda(cudaGetLastError());
  check_cuda(cudaEventRecord(ended_.get(), stream));
}

bool StreamHold::is_holding() const { return cudaEventQuery(ended_.get()) == cudaErrorNotReady; }

void StreamHold::release() {
  const bool held = is_holding();
  *flag(released_) = 1;
  if (held)
    outlasted_ = 0;
  else if (++outlasted_ <= most_outlasted)
    longest_ = for_slow_calls;
  else
    longest_ = for_calls;
}

}  // namespace klab::runner
