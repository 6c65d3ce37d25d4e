// By a copy that is longer than the caches are large.
#include "runner/verify/quiet_memory.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

#include "runner/device/runner_error.hpp"
#include "runner/phases/launch.hpp"

namespace klab::runner {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t copied_bytes = std::size_t{256} << 20;

/// As slow as this, in shares of the usual, is how copies differ anyhow.
constexpr double as_usual = 1.03;

constexpr std::chrono::milliseconds patience{500}, between{5};

}  // namespace

QuietMemory::QuietMemory() : start_(make_event()), stop_(make_event()) {
  try {
    from_ = make_device_buffer(copied_bytes);
    to_ = make_device_buffer(copied_bytes);
  } catch (const RunnerError& failure) {
    if (failure.error().code != ErrorCode::out_of_memory) throw;
    forget_errors();
    return;
  }
  copy_seconds();  // the first touch of this memory
  usual_ = copy_seconds();
}

void QuietMemory::wait() const {
  const auto end = Clock::now() + patience;
  while (usual_ && copy_seconds() > as_usual * *usual_ && Clock::now() < end)
    std::this_thread::sleep_for(between);
}

double QuietMemory::copy_seconds() const {
  std::array<float, 5> milliseconds{};
  for (float& one : milliseconds) {
    check_cuda(cudaEventRecord(start_.get()));
    check_cuda(cudaMemcpyAsync(to_.get(), from_.get(), copied_bytes, cudaMemcpyDeviceToDevice));
    check_cuda(cudaEventRecord(stop_.get()));
    check_cuda(cudaEventSynchronize(stop_.get()));
    check_cuda(cudaEventElapsedTime(&one, start_.get(), stop_.get()));
  }
  std::nth_element(milliseconds.begin(), milliseconds.begin() + 2, milliseconds.end());
  return static_cast<double>(milliseconds[2]) * 1e-3;
}

}  // namespace klab::runner
