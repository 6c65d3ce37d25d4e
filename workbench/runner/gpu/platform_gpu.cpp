// The platform of klab-runner-gpu: CUPTI, NVML, clocks.
#include <unistd.h>

#include <fstream>
#include <string>

#include "runner/device/runner_error.hpp"
#include "runner/gpu/ceilings.hpp"
#include "runner/gpu/counters_cupti.hpp"
#include "runner/gpu/live.hpp"
#include "runner/gpu/nvml.hpp"
#include "runner/gpu/stalls_cupti.hpp"
#include "runner/gpu/timeline_cupti.hpp"
#include "runner/gpu/timing.hpp"
#include "runner/gpu/trace_cupti.hpp"
#include "runner/memory/spare_memory.hpp"
#include "runner/phases/platform.hpp"
#include "runner/problem/device_state.hpp"

namespace klab::runner {
namespace {

/// The driver's version as the kernel module states it, e.g. "580.159.04". Read from /proc because
/// that costs nothing; NVML is asked where /proc does not show it.
std::string driver_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;) {
    const bool version = word.find_first_not_of("0123456789.") == std::string::npos;
    if (version && word.find('.') != std::string::npos) return word;
    if (word == "GCC") break;  // the compiler's version follows, not the driver's
  }
  return Nvml().driver_version().value_or("");
}

}  // namespace

void prepare_platform(const Request& request, RecordWriter&) {
  keep_spare_memory(true);
  if (request.phase == Phase::timeline) let_cupti_hear_ranges();
}

std::string fault_sentence() { return {}; }

std::string refusal_sentence() { return {}; }
FaultedWork faulted_work() { return {}; }

void add_platform_facts(DeviceFacts& facts, Phase phase) {
  facts.driver = driver_version();
  // Only where the chip is the question: asking CUPTI costs time, and it must not be attached where
  // the clock runs.
  if (phase != Phase::device) return;
  try {
    const CuptiSubscriber subscriber;
    facts.chip = cupti_chip_name().value_or("");
  } catch (const RunnerError&) {  // an external tool is attached: the chip stays unknown
  }
}

std::optional<Error> counter_obstacle() {
  std::ifstream file("/proc/driver/nvidia/params");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("RmProfilingAdminOnly: 1") && ::geteuid() != 0)
      return make_error(ErrorCode::profiler_denied,
                        "The driver keeps hardware counters for administrators "
                        "(RmProfilingAdminOnly is 1).");
  return std::nullopt;
}

bool is_simulated() { return false; }

void reset_device_state(int device, cudaStream_t stream) { restore_device_state(device, stream); }

std::optional<Held> held() { return std::nullopt; }
std::uint64_t largest_host_piece() { return 0; }

InKernelFile::InKernelFile() = default;
InKernelFile::~InKernelFile() = default;

std::optional<double> share_of_budget(const Request&) { return std::nullopt; }
Counters executed_operations() { return {}; }
bool has_deadlocked() { return false; }  // nobody can tell

void name_work(const std::string&) {}  // nobody tells of any of them
void name_stream(cudaStream_t, const std::string&) {}
void name_memory(const void*, const std::string&) {}

std::vector<record::Finding> take_findings(const VariantName&) { return {}; }
bool has_findings() { return false; }

void reuse_addresses(bool) {}
void mark_scratch(const void*) {}

void run_warps_in_reverse(bool) {}

void end_launch_when(std::function<bool()>) {}

std::optional<record::Verified> try_addresses(PhaseSetup&, const Plugin&, const Size&) {
  return std::nullopt;
}

std::unique_ptr<CounterSource> make_counter_source(const Request& request) {
  return std::make_unique<CuptiCounters>(request.metrics);
}

std::unique_ptr<CounterSource> make_trace_source(const Request&) {
  return std::make_unique<CuptiTrace>();
}

std::unique_ptr<StallSource> make_stall_source() { return std::make_unique<CuptiStalls>(); }

std::optional<std::chrono::nanoseconds> counted_clock() { return std::nullopt; }

void time_launches(PhaseSetup& setup, const std::function<bool()>& begin) { time(setup, begin); }

void watch_device(const Request& request, RecordWriter& out) { live(request, out); }

void measure_ceilings(RecordWriter& out) { ceilings(out); }

std::unique_ptr<TimelineSource> make_timeline_source() {
  return std::make_unique<TimelineRecorder>();
}

}  // namespace klab::runner
