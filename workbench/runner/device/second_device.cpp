// Events tie the two devices' streams together; the host waits for neither.
#include "runner/device/second_device.hpp"

#include "runner/device/cuda_check.hpp"

namespace klab::runner {
namespace {

/// An event that only orders is cheaper than one that tells a time.
Event make_ordering_event() {
  cudaEvent_t event = nullptr;
  check_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return Event(event);
}

}  // namespace

int current_device() {
  int device = 0;
  check_cuda(cudaGetDevice(&device));
  return device;
}

CurrentDevice::CurrentDevice(int device) : before_(current_device()) {
  if (device != before_) check_cuda(cudaSetDevice(device));
}

CurrentDevice::~CurrentDevice() { cudaSetDevice(before_); }

SecondDevice::SecondDevice(int device, unsigned stream_flags, bool cold)
    : device_(device), first_reached_(make_ordering_event()) {
  const CurrentDevice here(device_);
  stream_ = make_stream(stream_flags);
  reached_ = make_ordering_event();
  if (cold) cold_.emplace();
}

void SecondDevice::follow(cudaStream_t first) const {
  check_cuda(cudaEventRecord(first_reached_.get(), first));
  check_cuda(cudaStreamWaitEvent(stream_.get(), first_reached_.get(), 0));
}

void SecondDevice::join(cudaStream_t first) const {
  check_cuda(cudaEventRecord(reached_.get(), stream_.get()));
  check_cuda(cudaStreamWaitEvent(first, reached_.get(), 0));
}

void SecondDevice::flush() const {
  if (!cold_) return;
  const CurrentDevice here(device_);
  cold_->flush(stream_.get());
}

cudaError_t SecondDevice::wait() const {
  const CurrentDevice here(device_);
  return cudaDeviceSynchronize();
}

}  // namespace klab::runner
