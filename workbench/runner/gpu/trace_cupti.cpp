// Activity records and runtime callbacks around one launch (CUPTI documentation, "Activity API" and
// "Callback API").
#include "runner/gpu/trace_cupti.hpp"

#include <algorithm>
#include <string_view>

#include <cuda_runtime_api.h>

#include "core/base/text.hpp"
#include "runner/device/nvtx_range.hpp"

namespace klab::runner {
namespace {

constexpr CUpti_ActivityKind counted_kinds[] = {
    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2,
    CUPTI_ACTIVITY_KIND_MEMSET};

/// Calls of the runtime that this thread is in: what they ask of the driver is theirs, and what the
/// driver is asked beside them is the kernel file's.
thread_local int runtime_calls = 0;

bool is_copy_within_device(std::string_view name, const void* parameters) {
  return name == "cudaMemcpy" && parameters &&
         static_cast<const cudaMemcpy_v3020_params*>(parameters)->kind == cudaMemcpyDeviceToDevice;
}

/// Whether a call of the runtime or the driver frees memory and waits for the device before it
/// does.
bool waits_to_free(std::string_view name) {
  return starts_with_any(name, {"cudaFree", "cuMemFree"}) &&
         name.find("Async") == std::string_view::npos;
}

/// The parameters of all calls that free memory begin with what is freed.
bool frees_something(const CUpti_CallbackData& call) {
  return call.functionParams != nullptr &&
         *static_cast<void* const*>(call.functionParams) != nullptr;
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

std::optional<double> alone_pct(const std::vector<Span>& copies, const std::vector<Span>& others) {
  struct Turn {
    std::uint64_t at_ns;
    int copies, all;  ///< what begins here, less what ends
  };
  std::vector<Turn> turns;
  const auto add = [&](const std::vector<Span>& spans, int copy) {
    for (const Span& span : spans) {
      turns.push_back({span.start_ns, copy, 1});
      turns.push_back({span.end_ns, -copy, -1});
    }
  };
  add(copies, 1);
  add(others, 0);
  std::sort(turns.begin(), turns.end(),
            [](const Turn& a, const Turn& b) { return a.at_ns < b.at_ns; });
  if (turns.empty() || turns.front().at_ns == turns.back().at_ns) return std::nullopt;
  std::uint64_t alone = 0;
  int copying = 0, running = 0;
  for (std::size_t i = 0; i + 1 < turns.size(); ++i) {
    copying += turns[i].copies;
    running += turns[i].all;
    if (copying == 1 && running == 1) alone += turns[i + 1].at_ns - turns[i].at_ns;
  }
  return 100.0 * static_cast<double>(alone) /
         static_cast<double>(turns.back().at_ns - turns.front().at_ns);
}

std::optional<double> blocks_in_the_middle(std::vector<double> blocks) {
  if (blocks.empty()) return std::nullopt;
  const auto middle = blocks.begin() + static_cast<std::ptrdiff_t>(blocks.size() / 2);
  std::nth_element(blocks.begin(), middle, blocks.end());
  return *middle;
}

CuptiTrace::CuptiTrace()
    : subscriber_(on_call, this),
      buffers_([this](const CUpti_Activity& activity) { note(activity); }) {}

void CUPTIAPI CuptiTrace::on_call(void* context, CUpti_CallbackDomain domain, CUpti_CallbackId,
                                  const void* data) {
  const auto& call = *static_cast<const CUpti_CallbackData*>(data);
  auto& trace = *static_cast<CuptiTrace*>(context);
  const bool enters = call.callbackSite == CUPTI_API_ENTER;
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) {
    if (enters) trace.note_call(call);
    runtime_calls += enters ? 1 : -1;
  } else if (domain == CUPTI_CB_DOMAIN_DRIVER_API && enters && runtime_calls == 0) {
    trace.note_driver_call(call);
  }
}

void CuptiTrace::watch_calls(bool on) {
  runtime_calls = 0;
  subscriber_.watch_runtime_calls(on);
  subscriber_.watch_driver_calls(on);
}

void CuptiTrace::note_driver_call(const CUpti_CallbackData& call) {
  const std::scoped_lock lock(mutex_);
  const std::string_view name = call.functionName ? call.functionName : "";
  const bool waits =
      asks_if_done(name) ||
      starts_with_any(name, {"cuCtxSynchronize", "cuStreamSynchronize", "cuEventSynchronize"});
  const bool blocking_copy = name.starts_with("cuMemcpy") &&
                             name.find("Async") == std::string_view::npos &&
                             name.find("DtoD") == std::string_view::npos;
  const bool frees = waits_to_free(name) && frees_something(call);
  if (waits || blocking_copy || frees) ++counts_["host_synchronizations"];
  if (starts_with_any(name, {"cuMemAllocAsync", "cuMemAllocFromPoolAsync", "cuMemFreeAsync"}))
    ++counts_["pool_allocation_calls"];
  else if (starts_with_any(
               name, {"cuMemAlloc", "cuMemFree", "cuMemHostAlloc", "cuMemCreate", "cuMemRelease",
                      "cuArrayCreate", "cuArray3DCreate", "cuArrayDestroy", "cuMipmappedArray",
                      "cuMemPoolCreate", "cuMemPoolDestroy", "cuMemPoolTrimTo", "cuMemHostRegister",
                      "cuMemHostUnregister"}))
    ++counts_["allocation_calls"];
  if (starts_with_any(name, {"cuMemAlloc", "cuMemHostAlloc", "cuMemCreate", "cuArrayCreate",
                             "cuArray3DCreate", "cuMipmappedArrayCreate"}))
    ++counts_["kept_allocations"];
  if (starts_with_any(name,
                      {"cuMemFree", "cuMemRelease", "cuArrayDestroy", "cuMipmappedArrayDestroy"}) &&
      frees_something(call))
    --counts_["kept_allocations"];
  if (name.starts_with("cuGraphLaunch")) ++counts_["graph_launches"];
}

void CuptiTrace::note_call(const CUpti_CallbackData& call) {
  const std::scoped_lock lock(mutex_);
  const std::string_view name = call.functionName ? call.functionName : "";
  // Asking again and again whether the device is done is waiting, too.
  const bool waits =
      asks_if_done(name) || starts_with_any(name, {"cudaDeviceSynchronize", "cudaStreamSynchronize",
                                                   "cudaEventSynchronize"});
  const bool blocking_copy = name.starts_with("cudaMemcpy") &&
                             name.find("Async") == std::string_view::npos &&
                             !is_copy_within_device(name, call.functionParams);
  const bool frees = waits_to_free(name) && frees_something(call);
  if (waits || blocking_copy || frees) ++counts_["host_synchronizations"];
  if (starts_with_any(name, {"cudaMallocAsync", "cudaMallocFromPoolAsync", "cudaFreeAsync"}))
    ++counts_["pool_allocation_calls"];
  else if (starts_with_any(name, {"cudaMalloc", "cudaFree", "cudaHostAlloc", "cudaMemPoolCreate",
                                  "cudaMemPoolDestroy", "cudaMemPoolTrimTo", "cudaHostRegister",
                                  "cudaHostUnregister"}))
    ++counts_["allocation_calls"];
  if (starts_with_any(name, {"cudaMalloc", "cudaHostAlloc"})) ++counts_["kept_allocations"];
  if (name.starts_with("cudaFree") && frees_something(call)) --counts_["kept_allocations"];
  if (name.starts_with("cudaGraphLaunch")) ++counts_["graph_launches"];
}

void CuptiTrace::note_copy(const std::string& direction, std::uint64_t bytes, Span span,
                           std::uint8_t from, std::uint8_t to) {
  ++counts_[direction + "_copies"];
  counts_[direction + "_bytes"] += static_cast<double>(bytes);
  if (direction != "host_to_device" && direction != "device_to_host") {
    spans_.push_back(span);
    return;
  }
  host_copies_.push_back(span);
  largest_host_copy_ = std::max(largest_host_copy_, bytes);
  if (from == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE || to == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE)
    ++counts_["pageable_copies"];
}

void CuptiTrace::sum_up(const LeastWork& least) {
  const double across =
      bytes_across(least, counts_["host_to_device_bytes"], counts_["device_to_host_bytes"]);
  counts_["largest_copy_pct"] =
      across > 0 ? 100 * static_cast<double>(largest_host_copy_) / across : 0;
}

std::map<std::string, double> CuptiTrace::shares_of_time() const {
  std::map<std::string, double> shares;
  if (const auto alone = alone_pct(host_copies_, spans_)) shares["copies_alone_pct"] = *alone;
  std::vector<Span> all = spans_;
  all.insert(all.end(), host_copies_.begin(), host_copies_.end());
  if (const auto idle = idle_pct(std::move(all))) shares["gpu_idle_pct"] = *idle;
  return shares;
}

void CuptiTrace::note(const CUpti_Activity& activity) {
  const std::scoped_lock lock(mutex_);
  switch (activity.kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
      const auto& kernel = reinterpret_cast<const CUpti_ActivityKernel10&>(activity);
      kernels_.push_back({{kernel.start, kernel.end},
                          static_cast<double>(kernel.gridX) * kernel.gridY * kernel.gridZ,
                          kernel.graphId == 0});
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const auto& copy = reinterpret_cast<const CUpti_ActivityMemcpy6&>(activity);
      note_copy(direction(copy.copyKind), copy.bytes, {copy.start, copy.end}, copy.srcKind,
                copy.dstKind);
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY2: {
      const auto& copy = reinterpret_cast<const CUpti_ActivityMemcpyPtoP4&>(activity);
      note_copy("device_to_device", copy.bytes, {copy.start, copy.end}, copy.srcKind, copy.dstKind);
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
      const auto& fill = reinterpret_cast<const CUpti_ActivityMemset4&>(activity);
      ++counts_["memsets"];
      counts_["memset_bytes"] += static_cast<double>(fill.bytes);
      spans_.push_back({fill.start, fill.end});
      break;
    }
    default:
      break;
  }
}

void CuptiTrace::count_kernels(bool had_head_start) {
  // The first one to start is the head start: it was launched alone, on an idle device. A name
  // proves nothing, as a kernel file may choose its names.
  const auto first = std::min_element(
      kernels_.begin(), kernels_.end(),
      [](const Kernel& a, const Kernel& b) { return a.span.start_ns < b.span.start_ns; });
  if (had_head_start && first != kernels_.end()) kernels_.erase(first);
  std::vector<double> blocks;
  for (const Kernel& kernel : kernels_) {
    ++counts_["kernels_executed"];
    blocks.push_back(kernel.blocks);
    if (kernel.launched_alone) ++counts_["kernel_launches"];
    spans_.push_back(kernel.span);
  }
  if (const auto middle = blocks_in_the_middle(std::move(blocks)))
    counts_["blocks_per_kernel"] = *middle;
}

std::size_t CuptiTrace::look(const Countable& countable, bool with_head_start) {
  countable.prepare();
  buffers_.flush();  // the harness's own copies
  // A count of nothing is a true 0 here: every kind below was watched.
  counts_.clear();
  for (const char* name :
       {"kernel_launches", "kernels_executed", "graph_launches", "host_synchronizations",
        "host_to_device_copies", "host_to_device_bytes", "device_to_host_copies",
        "device_to_host_bytes", "device_to_device_copies", "device_to_device_bytes", "memsets",
        "memset_bytes", "allocation_calls", "pool_allocation_calls", "kept_allocations",
        "pageable_copies"})
    counts_[name] = 0;
  spans_.clear();
  host_copies_.clear();
  largest_host_copy_ = 0;
  kernels_.clear();
  buffers_.take_dropped();
  buffers_.listen(true);
  if (with_head_start) countable.head_start();
  watch_calls(true);
  countable.launch();
  watch_calls(false);
  countable.wait();
  buffers_.flush();
  buffers_.listen(false);
  count_kernels(with_head_start);
  sum_up(countable.least);
  return buffers_.take_dropped();
}

record::CounterSet CuptiTrace::count(const Countable& countable) {
  const NvtxRange range("trace", countable.variant);
  // The first launch under a new kind of watching is slow: CUPTI prepares each kernel, and the gaps
  // would be taken for idle time.
  ActivityBuffers::watch(counted_kinds, true);
  countable.prepare();
  countable.launch();
  countable.wait();
  buffers_.flush();
  std::size_t dropped = look(countable, true);
  const auto shares = shares_of_time();
  // A kernel file can tell an idle stream from a busy one: it is counted as it is timed.
  if (countable.is_timed_idle) dropped += look(countable, false);
  counts_.insert(shares.begin(), shares.end());
  ActivityBuffers::watch(counted_kinds, false);

  record::CounterSet set;
  set.variant = countable.variant;
  for (const auto& [name, value] : counts_) {
    CounterValue& counter = set.values[name];
    counter.source = Source::traced;
    if (dropped == 0)
      counter.value = value;
    else
      counter.reason = {MissingKind::records_dropped, std::to_string(dropped)};
  }
  return set;
}

}  // namespace klab::runner
