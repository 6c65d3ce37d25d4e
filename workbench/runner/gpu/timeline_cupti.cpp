// Activity records as spans (CUPTI documentation, "Activity API"; record layouts in
// cupti_activity.h).
#include "runner/gpu/timeline_cupti.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string_view>

#include "core/build/demangle.hpp"
#include "runner/cupti/check.hpp"

namespace klab::runner {
namespace {

constexpr CUpti_ActivityKind recorded_kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                                 CUPTI_ACTIVITY_KIND_MEMCPY,
                                                 CUPTI_ACTIVITY_KIND_MEMCPY2,
                                                 CUPTI_ACTIVITY_KIND_MEMSET,
                                                 CUPTI_ACTIVITY_KIND_MEMORY2,
                                                 CUPTI_ACTIVITY_KIND_RUNTIME,
                                                 CUPTI_ACTIVITY_KIND_DRIVER,
                                                 CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
                                                 CUPTI_ACTIVITY_KIND_MARKER,
                                                 CUPTI_ACTIVITY_KIND_OVERHEAD};

/// Ranges that are open at once.
constexpr std::size_t most_open_ranges = 20'000;
/// What begins with a run may be dated a little before it, by the uncertainty of the clocks. The
/// harness's own last call before a run begins longer ago, and its next work begins after the run's
/// end.
constexpr std::int64_t tolerance_ns = 500;

std::string copy_label(std::uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA:
      return copies_label(true, false);
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH:
      return copies_label(false, true);
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH:
      return copies_label(true, true);
    default:
      return copies_label(false, false);
  }
}

const char* memory_name(std::uint32_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE:
      return "pageable";
    case CUPTI_ACTIVITY_MEMORY_KIND_PINNED:
      return "pinned";
    case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE:
    case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC:
      return "device";
    case CUPTI_ACTIVITY_MEMORY_KIND_ARRAY:
      return "array";
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED:
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC:
      return "managed";
    default:
      return "unknown";
  }
}

const char* wait_name(CUpti_ActivitySynchronizationType type) {
  switch (type) {
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE:
      return "wait for an event";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT:
      return "stream waits for an event";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE:
      return "wait for a stream";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE:
      return "wait for the device";
    default:
      return "wait";
  }
}

const char* overhead_name(CUpti_ActivityOverheadKind kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER:
      return "compiling in the driver";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH:
      return "profiler hands over records";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION:
      return "profiler instruments";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE:
      return "profiler allocates";
    case CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING:
      return "loading a module";
    case CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING:
      return "loading a function";
    case CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL:
      return "command buffer full";
    case CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST:
      return "profiler requests a buffer";
    default:
      return "overhead";
  }
}

/// "cudaLaunchKernel" for "cudaLaunchKernel_ptsz_v7000" and for "__cudaLaunchKernel_v13000".
std::string without_version(std::string_view name) {
  if (name.starts_with("__cuda")) name.remove_prefix(2);
  for (const std::string_view mark : {"_v", "_pts", "_ptd"}) {
    const auto at = name.rfind(mark);
    // Names of the driver's API carry "_v2" as part of the name that programmers write.
    if (at != std::string_view::npos && name.starts_with("cuda")) name = name.substr(0, at);
  }
  return std::string(name);
}

std::optional<std::uint32_t> stream_of(std::uint32_t stream) {
  if (stream == CUPTI_INVALID_STREAM_ID) return std::nullopt;
  return stream;
}

/// What all kinds of records tell, as far as this one has it.
template <class Activity>
TimelineSpan span_of(const Activity& activity) {
  TimelineSpan span;
  if constexpr (requires { activity.start; }) {
    span.start_ns = static_cast<std::int64_t>(activity.start);
    span.end_ns = static_cast<std::int64_t>(activity.end);
  } else {
    span.start_ns = span.end_ns = static_cast<std::int64_t>(activity.timestamp);
  }
  span.correlation = activity.correlationId;
  if constexpr (requires { activity.bytes; })
    span.bytes = static_cast<std::int64_t>(activity.bytes);
  if constexpr (requires { activity.streamId; }) span.stream = stream_of(activity.streamId);
  return span;
}

}  // namespace

void let_cupti_hear_ranges() {
  Dl_info library{};
  if (::dladdr(reinterpret_cast<void*>(&cuptiActivityEnable), &library) && library.dli_fname)
    ::setenv("NVTX_INJECTION64_PATH", library.dli_fname, 0);
}

namespace {

std::int64_t steady_now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

std::int64_t TimelineRecorder::now() const { return steady_now_ns(); }

TimelineRecorder::TimelineRecorder()
    : buffers_([this](const CUpti_Activity& activity) { note(activity); }) {
  ActivityBuffers::watch(recorded_kinds, true);
}

void TimelineRecorder::begin() {
  buffers_.flush_all();
  builder_ = {};
  open_ranges_.clear();
  without_time_ = 0;
  buffers_.take_dropped();
  began_ = read_clocks();
  buffers_.listen(true);
}

VariantTimeline TimelineRecorder::end(VariantName variant, std::vector<TimelineRun> runs) {
  buffers_.flush_all();
  buffers_.listen(false);
  const ClockMap clock(began_, read_clocks());
  VariantTimeline timeline = builder_.finish(
      std::move(variant), std::move(runs),
      [&](std::int64_t cupti_ns) { return clock.host_ns(cupti_ns); }, tolerance_ns);
  timeline.clock = clock.quality();
  timeline.dropped_by_profiler = static_cast<std::int64_t>(buffers_.take_dropped()) + without_time_;
  return timeline;
}

void TimelineRecorder::note(const CUpti_Activity& activity) {
  switch (activity.kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return note_kernel(reinterpret_cast<const CUpti_ActivityKernel10&>(activity));
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const auto& copy = reinterpret_cast<const CUpti_ActivityMemcpy6&>(activity);
      const TimelineSpan span = span_of(copy);
      return add(TrackKind::copy, copy_label(copy.copyKind),
                 copy_name(memory_name(copy.srcKind), memory_name(copy.dstKind)), span);
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY2: {
      const auto& copy = reinterpret_cast<const CUpti_ActivityMemcpyPtoP4&>(activity);
      const TimelineSpan span = span_of(copy);
      return add(TrackKind::copy, "Copies between devices", "copy to another device", span);
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
      const auto& fill = reinterpret_cast<const CUpti_ActivityMemset4&>(activity);
      const TimelineSpan span = span_of(fill);
      return add(TrackKind::copy, "Fills", std::string("fill ") + memory_name(fill.memoryKind),
                 span);
    }
    case CUPTI_ACTIVITY_KIND_MEMORY2:
      return note_memory(reinterpret_cast<const CUpti_ActivityMemory4&>(activity));
    case CUPTI_ACTIVITY_KIND_RUNTIME:
      return note_call(reinterpret_cast<const CUpti_ActivityAPI&>(activity),
                       CUPTI_CB_DOMAIN_RUNTIME_API);
    case CUPTI_ACTIVITY_KIND_DRIVER:
      return note_call(reinterpret_cast<const CUpti_ActivityAPI&>(activity),
                       CUPTI_CB_DOMAIN_DRIVER_API);
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
      return note_wait(reinterpret_cast<const CUpti_ActivitySynchronization2&>(activity));
    case CUPTI_ACTIVITY_KIND_MARKER:
      return note_marker(reinterpret_cast<const CUpti_ActivityMarker2&>(activity));
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
      return note_overhead(reinterpret_cast<const CUpti_ActivityOverhead3&>(activity));
    default:
      return;
  }
}

void TimelineRecorder::note_kernel(const CUpti_ActivityKernel10& kernel) {
  const TimelineSpan span = span_of(kernel);
  add(TrackKind::kernel, "Stream " + std::to_string(kernel.streamId),
      kernel.name ? demangled(kernel.name) : "unknown", span);
}

void TimelineRecorder::note_call(const CUpti_ActivityAPI& call, CUpti_CallbackDomain domain) {
  const char* name = nullptr;
  if (cuptiGetCallbackName(domain, call.cbid, &name) != CUPTI_SUCCESS || !name) name = "unknown";
  const TimelineSpan span = span_of(call);
  add(TrackKind::call, thread_label(call.threadId), without_version(name), span);
}

void TimelineRecorder::note_memory(const CUpti_ActivityMemory4& memory) {
  const TimelineSpan span = span_of(memory);
  const bool released = memory.memoryOperationType == CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE;
  add(TrackKind::memory, "Memory",
      (released ? "release " : "allocate ") + std::string(memory_name(memory.memoryKind)), span);
}

void TimelineRecorder::note_wait(const CUpti_ActivitySynchronization2& wait) {
  TimelineSpan span = span_of(wait);
  if (wait.streamId == CUPTI_SYNCHRONIZATION_INVALID_VALUE) span.stream.reset();
  add(TrackKind::wait, "Waits", wait_name(wait.type), span);
}

void TimelineRecorder::note_marker(const CUpti_ActivityMarker2& marker) {
  const auto at = static_cast<std::int64_t>(marker.timestamp);
  const std::string track =
      std::string("Ranges") + (marker.domain ? std::string(": ") + marker.domain : "");
  if (marker.flags & CUPTI_ACTIVITY_FLAG_MARKER_START) {
    if (open_ranges_.size() < most_open_ranges)
      open_ranges_[marker.id] = {marker.name ? marker.name : "unnamed", track, at};
  } else if (marker.flags & CUPTI_ACTIVITY_FLAG_MARKER_END) {
    const auto open = open_ranges_.find(marker.id);
    if (open == open_ranges_.end()) return;  // began before the recording
    add(TrackKind::range, open->second.track, open->second.name,
        {.start_ns = open->second.start_ns, .end_ns = at});
    open_ranges_.erase(open);
  } else if (marker.flags & CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS) {
    add(TrackKind::range, track, marker.name ? marker.name : "unnamed",
        {.start_ns = at, .end_ns = at});
  }
}

void TimelineRecorder::note_overhead(const CUpti_ActivityOverhead3& overhead) {
  std::free(overhead.overheadData);  // handed over to us, and of no use here
  const TimelineSpan span = span_of(overhead);
  add(TrackKind::overhead, "Overhead", overhead_name(overhead.overheadKind), span);
}

void TimelineRecorder::add(TrackKind kind, const std::string& label, const std::string& name,
                           TimelineSpan span) {
  if (span.start_ns == 0 && span.end_ns == 0) {
    ++without_time_;
    return;
  }
  builder_.add(kind, label, name, span);
}

std::string TimelineRecorder::thread_label(std::uint32_t thread) {
  auto at = std::find(threads_.begin(), threads_.end(), thread);
  if (at == threads_.end()) at = threads_.insert(threads_.end(), thread);
  return calls_label(static_cast<std::size_t>(at - threads_.begin()));
}

ClockReading TimelineRecorder::read_clocks() const {
  return read_both_clocks(steady_now_ns, [] {
    std::uint64_t now = 0;
    check_cupti(cuptiGetTimestamp(&now), "cuptiGetTimestamp");
    return static_cast<std::int64_t>(now);
  });
}

}  // namespace klab::runner
