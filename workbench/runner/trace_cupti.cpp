// Activity records and runtime callbacks around one launch (CUPTI documentation, "Activity API" and
// "Callback API").
#include "runner/trace_cupti.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <string_view>

#include <cuda_runtime_api.h>

#include "runner/cupti_check.hpp"
#include "runner/nvtx_range.hpp"
#include "runner/timing_kernels.hpp"

namespace klab::runner {
namespace {

constexpr std::size_t buffer_bytes = 1u << 20;
/// About 300,000 kernel records, far beyond any lab. What comes after is dropped and counted.
constexpr int most_buffers = 64;
constexpr std::align_val_t buffer_alignment{8};

constexpr CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                        CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2,
                                        CUPTI_ACTIVITY_KIND_MEMSET};

/// CUPTI's buffer callbacks carry no context, so the one trace of this process stands here.
CuptiTrace* receiver = nullptr;
std::atomic<int> buffers_out = 0;

bool starts_with_any(std::string_view name, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [=](std::string_view prefix) { return name.starts_with(prefix); });
}

bool is_copy_within_device(std::string_view name, const void* parameters) {
  return name == "cudaMemcpy" && parameters &&
         static_cast<const cudaMemcpy_v3020_params*>(parameters)->kind == cudaMemcpyDeviceToDevice;
}

const char* direction(std::uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA:
      return "host_to_device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH:
      return "device_to_host";
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH:
      return "host_to_host";
    default:
      return "device_to_device";
  }
}

}  // namespace

std::optional<double> idle_pct(std::vector<Span> spans) {
  if (spans.empty()) return std::nullopt;
  std::sort(spans.begin(), spans.end(),
            [](const Span& a, const Span& b) { return a.start_ns < b.start_ns; });
  const std::uint64_t first = spans.front().start_ns;
  std::uint64_t reached = first;
  std::uint64_t busy = 0;
  for (const Span& span : spans) {
    if (span.end_ns <= reached) continue;
    busy += span.end_ns - std::max(span.start_ns, reached);
    reached = span.end_ns;
  }
  if (reached == first) return std::nullopt;
  return 100.0 * (1.0 - static_cast<double>(busy) / static_cast<double>(reached - first));
}

CuptiTrace::CuptiTrace() : subscriber_(on_call, this) {
  check_cupti(cuptiActivityRegisterCallbacks(give_buffer, take_buffer),
              "cuptiActivityRegisterCallbacks");
}

CuptiTrace::~CuptiTrace() {
  receiver = nullptr;
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
}

void CUPTIAPI CuptiTrace::give_buffer(std::uint8_t** buffer, std::size_t* size,
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

void CUPTIAPI CuptiTrace::take_buffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                                      std::size_t, std::size_t valid_size) {
  CUpti_Activity* activity = nullptr;
  while (receiver && cuptiActivityGetNextRecord(buffer, valid_size, &activity) == CUPTI_SUCCESS)
    receiver->note(*activity);
  std::size_t dropped = 0;
  if (receiver && cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS)
    receiver->dropped_ += dropped;
  ::operator delete(buffer, buffer_alignment);
  --buffers_out;
}

void CUPTIAPI CuptiTrace::on_call(void* context, CUpti_CallbackDomain domain, CUpti_CallbackId,
                                  const void* data) {
  const auto& call = *static_cast<const CUpti_CallbackData*>(data);
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API && call.callbackSite == CUPTI_API_ENTER)
    static_cast<CuptiTrace*>(context)->note_call(call);
}

void CuptiTrace::note_call(const CUpti_CallbackData& call) {
  const std::scoped_lock lock(mutex_);
  const std::string_view name = call.functionName ? call.functionName : "";
  const bool waits = starts_with_any(
      name, {"cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize"});
  const bool blocking_copy = name.starts_with("cudaMemcpy") &&
                             name.find("Async") == std::string_view::npos &&
                             !is_copy_within_device(name, call.functionParams);
  if (waits || blocking_copy) ++counts_["host_synchronizations"];
  if (starts_with_any(name, {"cudaMalloc", "cudaFree", "cudaHostAlloc"}))
    ++counts_["allocation_calls"];
  if (name.starts_with("cudaGraphLaunch")) ++counts_["graph_launches"];
}

void CuptiTrace::note_copy(const std::string& direction, std::uint64_t bytes, Span span) {
  ++counts_[direction + "_copies"];
  counts_[direction + "_bytes"] += static_cast<double>(bytes);
  spans_.push_back(span);
}

void CuptiTrace::note(const CUpti_Activity& activity) {
  const std::scoped_lock lock(mutex_);
  switch (activity.kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
      const auto& kernel = reinterpret_cast<const CUpti_ActivityKernel10&>(activity);
      if (kernel.name && is_delay(kernel.name)) break;
      ++counts_["kernels_executed"];
      if (kernel.graphId == 0) ++counts_["kernel_launches"];
      spans_.push_back({kernel.start, kernel.end});
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const auto& copy = reinterpret_cast<const CUpti_ActivityMemcpy6&>(activity);
      note_copy(direction(copy.copyKind), copy.bytes, {copy.start, copy.end});
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY2: {
      const auto& copy = reinterpret_cast<const CUpti_ActivityMemcpyPtoP4&>(activity);
      note_copy("device_to_device", copy.bytes, {copy.start, copy.end});
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
      const auto& fill = reinterpret_cast<const CUpti_ActivityMemset4&>(activity);
      ++counts_["memsets"];
      spans_.push_back({fill.start, fill.end});
      break;
    }
    default:
      break;
  }
}

void CuptiTrace::watch(bool on) {
  for (const CUpti_ActivityKind kind : kinds)
    check_cupti(on ? cuptiActivityEnable(kind) : cuptiActivityDisable(kind),
                on ? "cuptiActivityEnable" : "cuptiActivityDisable");
}

record::CounterSet CuptiTrace::count(const Countable& countable) {
  const NvtxRange range("trace", countable.variant);
  // The first launch under a new kind of watching is slow: CUPTI prepares each kernel, and the gaps
  // would be taken for idle time.
  watch(true);
  countable.prepare();
  countable.launch();
  countable.wait();
  check_cupti(cuptiActivityFlushAll(0), "cuptiActivityFlushAll");
  countable.prepare();
  check_cupti(cuptiActivityFlushAll(0), "cuptiActivityFlushAll");  // the harness's own copies
  // A count of nothing is a true 0 here: every kind below was watched.
  counts_.clear();
  for (const char* name :
       {"kernel_launches", "kernels_executed", "graph_launches", "host_synchronizations",
        "host_to_device_copies", "host_to_device_bytes", "device_to_host_copies",
        "device_to_host_bytes", "device_to_device_copies", "device_to_device_bytes", "memsets",
        "allocation_calls"})
    counts_[name] = 0;
  spans_.clear();
  dropped_ = 0;
  receiver = this;
  countable.head_start();
  subscriber_.watch_runtime_calls(true);
  countable.launch();
  subscriber_.watch_runtime_calls(false);
  countable.wait();
  check_cupti(cuptiActivityFlushAll(0), "cuptiActivityFlushAll");
  receiver = nullptr;
  watch(false);
  if (const auto idle = idle_pct(spans_)) counts_["gpu_idle_pct"] = *idle;

  record::CounterSet set;
  set.variant = countable.variant;
  for (const auto& [name, value] : counts_) {
    CounterValue& counter = set.values[name];
    counter.source = Source::traced;
    if (dropped_ == 0)
      counter.value = value;
    else
      counter.reason =
          std::to_string(dropped_) + " activity records did not fit the trace's buffers";
  }
  return set;
}

}  // namespace klab::runner
