// Activity buffers (CUPTI documentation, "Activity API").
#include "runner/cupti/activity_buffers.hpp"

#include <atomic>
#include <new>

#include "runner/cupti/check.hpp"

namespace klab::runner {
namespace {

constexpr std::size_t buffer_bytes = 1u << 20;
/// About 300,000 kernel records, far beyond any lab. What comes after is dropped and counted.
constexpr int most_buffers = 64;
constexpr std::align_val_t buffer_alignment{8};

std::atomic<ActivityBuffers*> receiver = nullptr;
std::atomic<int> buffers_out = 0;

}  // namespace

ActivityBuffers::ActivityBuffers(std::function<void(const CUpti_Activity&)> on_record)
    : on_record_(std::move(on_record)) {
  check_cupti(cuptiActivityRegisterCallbacks(give, take), "cuptiActivityRegisterCallbacks");
  receiver = this;
}

ActivityBuffers::~ActivityBuffers() {
  listen(false);
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  receiver = nullptr;
}

void ActivityBuffers::listen(bool on) {
  const std::scoped_lock lock(mutex_);
  listening_ = on;
}

void ActivityBuffers::flush() { check_cupti(cuptiActivityFlushAll(0), "cuptiActivityFlushAll"); }

void ActivityBuffers::flush_all() {
  flush();  // first what is finished, so that nothing of it is handed over without its times
  check_cupti(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "cuptiActivityFlushAll");
}

std::size_t ActivityBuffers::take_dropped() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(dropped_, 0);
}

void ActivityBuffers::watch(std::span<const CUpti_ActivityKind> kinds, bool on) {
  for (const CUpti_ActivityKind kind : kinds)
    check_cupti(on ? cuptiActivityEnable(kind) : cuptiActivityDisable(kind),
                on ? "cuptiActivityEnable" : "cuptiActivityDisable");
}

void CUPTIAPI ActivityBuffers::give(std::uint8_t** buffer, std::size_t* size,
                                    std::size_t* max_records) {
  *max_records = 0;  // as many as fit
  *size = 0;
  *buffer = nullptr;
  if (buffers_out.load() >= most_buffers) return;
  *buffer =
      static_cast<std::uint8_t*>(::operator new(buffer_bytes, buffer_alignment, std::nothrow));
  if (!*buffer) return;
  *size = buffer_bytes;
  ++buffers_out;
}

void CUPTIAPI ActivityBuffers::take(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                                    std::size_t, std::size_t valid_size) {
  if (ActivityBuffers* const self = receiver) {
    const std::scoped_lock lock(self->mutex_);
    CUpti_Activity* activity = nullptr;
    while (self->listening_ &&
           cuptiActivityGetNextRecord(buffer, valid_size, &activity) == CUPTI_SUCCESS)
      self->on_record_(*activity);
    std::size_t dropped = 0;
    if (cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS &&
        self->listening_)
      self->dropped_ += dropped;
  }
  ::operator delete(buffer, buffer_alignment);
  --buffers_out;
}

}  // namespace klab::runner
