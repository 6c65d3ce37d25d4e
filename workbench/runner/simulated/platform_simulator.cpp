// The platform of klab-runner-sim: counts, findings, and no clock.
#include <malloc.h>
#include <unistd.h>

#include <optional>

#include "core/build/demangle.hpp"
#include "core/measure/least_work.hpp"
#include "runner/device/runner_error.hpp"
#include "runner/phases/platform.hpp"
#include "runner/simulated/counter_source_simulator.hpp"
#include "runner/simulated/host_memory.hpp"
#include "runner/simulated/launch_in_part.hpp"
#include "runner/simulated/simulator_link.hpp"
#include "runner/simulated/timeline_simulator.hpp"

namespace klab::runner {
namespace {

[[noreturn]] void needs_gpu(const char* what) {
  throw RunnerError(make_error(ErrorCode::unsupported,
                               std::string(what) + " needs a GPU: the simulator has no clock.",
                               "Run it on a machine with a CUDA GPU."));
}

/// Warp instructions that one launch may execute: tens of times what a lab's launches take, and
/// some seconds of work on two cores, so that an endless loop ends with a sentence.
constexpr std::uint64_t launch_budget = 250'000'000;

std::uint32_t multiprocessors_of(const Request& request) {
  return static_cast<std::uint32_t>(std::max(request.multiprocessors.value_or(0), 0));
}

/// Beside the clock of a GPU whoever asks that GPU goes first; so do all threads from here on.
void stand_back() {
  constexpr int steps = 10;
  (void)!::nice(steps);
}

/// What is freed is taken again soon: each size has arrays of its own. To have a page of the system
/// anew takes longer than to write it.
void keep_what_is_freed() {
  constexpr int kept_bytes = 2000 << 20;
  ::mallopt(M_MMAP_MAX, 0);  // what is mapped alone goes back at once
  ::mallopt(M_TRIM_THRESHOLD, kept_bytes);
}

}  // namespace

void prepare_platform(const Request& request, RecordWriter& out) {
  // Checking, asynchronous work runs only when something waits for it, so that a missing
  // synchronization shows as a wrong result; in a timeline and where the file measures, so that
  // what is only asked for stands apart from what is done.
  const bool checking = request.phase == Phase::verify;
  keep_what_is_freed();
  if (request.stands_for) stand_back();
  const DeviceFacts device = request.stands_for.value_or(DeviceFacts());
  const bool apart = request.phase == Phase::timeline || request.phase == Phase::agreement;
  configure_simulator({.full_checks = checking && request.full_checks,
                       .deferred = checking || apart,
                       .budget = request.instruction_budget.value_or(launch_budget),
                       .share_of_blocks = request.share_of_blocks.value_or(1),
                       .drawn = request.seed,
                       .device_name = device.name,
                       .device_bytes = static_cast<std::uint64_t>(device.memory_bytes),
                       .multiprocessors = multiprocessors_of(request),
                       .counting_clock = true});
  report_progress(out);
  report_host_findings(out);
  report_lacking(out);
}

std::string fault_sentence() {
  const auto messages = simulator_report().messages;
  return messages.empty() ? std::string() : messages.back();
}

std::string refusal_sentence() { return simulator_report().first_refusal; }

FaultedWork faulted_work() {
  SimulatorReport report = simulator_report();
  if (!report.faulted_kernel.empty()) return {demangled(report.faulted_kernel), {}};
  return {{}, std::move(report.faulted_other)};
}

void add_platform_facts(DeviceFacts& facts, Phase) { facts.simulated = true; }

std::optional<Error> counter_obstacle() { return std::nullopt; }

bool is_simulated() { return true; }

void reset_device_state(int, cudaStream_t) {}  // none of it changes what is counted

std::optional<Held> held() {
  const Living now = living();
  return Held{now.allocations, now.objects, kept_pieces().value_or(0)};
}

std::uint64_t largest_host_piece() { return largest_piece(); }

InKernelFile::InKernelFile() {
  call_simulated_kernel_file(true);
  take_for_the_kernel_file(true);
}
InKernelFile::~InKernelFile() {
  take_for_the_kernel_file(false);
  call_simulated_kernel_file(false);
}

std::optional<double> share_of_budget(const Request& request) {
  const SimulatorReport report = simulator_report();
  const auto executed = find_count(report, "warp_instructions");
  if (!executed) return std::nullopt;
  // To begin a block or a kernel takes as long as so many instructions.
  constexpr double of_a_block = 50, of_a_kernel = 2000;
  const double begun = of_a_block * find_count(report, "blocks_launched").value_or(0) +
                       of_a_kernel * find_count(report, "kernels_executed").value_or(0);
  return (*executed + begun) /
         static_cast<double>(request.instruction_budget.value_or(launch_budget));
}

Counters executed_operations() {
  const SimulatorReport report = simulator_report();
  Counters counters;
  for (const char* name : simulated_operations) counters[name] = simulated_value(name, report, 0);
  return counters;
}

bool has_deadlocked() { return simulator_report().left_out.deadlocks > 0; }

void name_work(const std::string& name) { name_simulated_work(name); }
void name_stream(cudaStream_t stream, const std::string& name) {
  name_simulated_stream(stream, name);
}
void name_memory(const void* memory, const std::string& name) {
  name_simulated_memory(memory, name);
}

std::vector<record::Finding> take_findings(const VariantName& variant) {
  SimulatorReport report = simulator_report();
  begin_simulation();
  if (!report.unsupported.empty())
    throw RunnerError(make_error(ErrorCode::unsupported, report.unsupported.front()), variant);
  std::erase_if(report.findings, is_of_host);  // they are written already
  for (record::Finding& finding : report.findings) finding.variant = variant;
  return std::move(report.findings);
}

bool has_findings() {
  const auto findings = simulator_report().findings;
  return std::any_of(findings.begin(), findings.end(), [](const record::Finding& finding) {
    return !is_fine_if_right(finding.kind);
  });
}

void reuse_addresses(bool on) { reuse_simulated_addresses(on); }

void mark_scratch(const void* memory) { mark_simulated_scratch(memory); }

void run_warps_in_reverse(bool on) { run_simulated_warps_in_reverse(on); }

void end_launch_when(std::function<bool()> over) { stop_simulation_when(std::move(over)); }

std::optional<record::Verified> try_addresses(PhaseSetup& setup, const Plugin& plugin,
                                              const Size& size) {
  return launch_in_part(setup, plugin, size);
}

std::unique_ptr<CounterSource> make_counter_source(const Request& request) {
  return std::make_unique<SimulatorCounters>(request.metrics);
}

std::unique_ptr<CounterSource> make_trace_source(const Request& request) {
  return std::make_unique<SimulatorCounters>(request.metrics);
}

std::unique_ptr<StallSource> make_stall_source() { needs_gpu("Sampling what warps wait for"); }

std::optional<std::chrono::nanoseconds> counted_clock() { return counted_time(); }

void time_launches(PhaseSetup&, const std::function<bool()>&) { needs_gpu("Timing"); }

void watch_device(const Request&, RecordWriter&) { needs_gpu("Watching clocks and power"); }

void measure_ceilings(RecordWriter&) { needs_gpu("Measuring ceilings"); }

std::unique_ptr<TimelineSource> make_timeline_source() {
  return std::make_unique<SimulatorOrder>();
}

}  // namespace klab::runner
