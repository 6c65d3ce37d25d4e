// Causes, work, and what else is shown; and the sizes at which each phase runs.
#include "core/check/phase_requests.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "core/build/calls/library_symbols.hpp"
#include "core/check/small_device.hpp"
#include "core/course/sizes/drawn_sizes.hpp"
#include "core/course/sizes/first_sizes.hpp"
#include "core/course/sizes/huge_sizes.hpp"
#include "core/course/sizes/sizes_alike.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/least_work.hpp"

namespace klab {
namespace {

/// Of sizes beyond the usual ones that the second look tries: what it takes is waited for.
constexpr std::int64_t most_looked_elements = 1'500'000;

/// Of a device's memory, before runners are started that are not needed at once: each takes up to
/// half a gigabyte before it does anything.
constexpr std::int64_t least_free_bytes = std::int64_t{16} << 30;

/// What tells whether a launch did the task's work, and whether it is the one that was timed.
constexpr std::array work_metrics = {"flop_fp32",        "flop_fp64",        "flop_fp16",
                                     "tensor_flop_fp16", "tensor_flop_bf16", "tensor_flop_tf32",
                                     "tensor_flop",      "profiled_duration"};

bool has_source(const Metric& metric, Phase phase, bool simulated) {
  if (phase == Phase::agreement) return metric.agreement;
  if (simulated) return !metric.simulator.empty();
  return phase == Phase::trace ? !metric.trace.empty() : !metric.cupti.empty();
}

/// Whether counters alone would say that work was left out. A GPU's see nothing of what the
/// kernels of a graph compute, and whether there was one is for the trace to say.
bool misses_work(const CheckResult& result, const Evidence& evidence) {
  const auto counters = result.counters.find(VariantName::mine);
  if (!evidence.counted_least || counters == result.counters.end()) return false;
  const auto work = counted_work(*evidence.counted_least, counters->second);
  return std::any_of(work.begin(), work.end(),
                     [](const CountedWork& one) { return one.falls_short(); });
}

bool counts_sectors(const Lab& lab) {
  return cause_metrics(lab).contains(std::string(sectors_metric));
}

/// Whether a copy may have moved bytes that the cause counts.
bool may_move_beside_kernels(const Evidence& evidence) {
  return counts_sectors(*evidence.lab) && !evidence.counted_shape.one_kernel;
}

/// The catalogue names that this phase is to collect, as far as the machine has a source for them:
/// those of the lab's causes, those that tell what work was done, and, to compare, the default set.
std::vector<std::string> wanted_metrics(const Lab& lab, Phase phase, bool to_compare,
                                        bool simulated) {
  std::set<std::string> names = cause_metrics(lab);
  if (phase == Phase::counters) names.insert(work_metrics.begin(), work_metrics.end());
  if (to_compare && phase == Phase::counters && !simulated)
    for (const std::string_view name : default_metrics()) names.insert(std::string(name));
  else if (to_compare || simulated || phase != Phase::counters)
    for (const Metric& metric : metric_catalogue()) names.insert(std::string(metric.name));
  std::vector<std::string> wanted;
  for (const std::string& name : names)
    if (const Metric* metric = find_metric(name); metric && has_source(*metric, phase, simulated))
      wanted.push_back(name);
  return wanted;
}

}  // namespace

Request PhaseRequests::request(Phase phase, const std::vector<VariantName>& variants) const {
  Request request = prepared_.request(phase, variants);
  request.instruction_budget = check_.instruction_budget;
  return request;
}

Request PhaseRequests::verifying() const {
  Request request = this->request(Phase::verify, {VariantName::mine});
  request.sizes = checked_sizes(check_.lab, prepared_.seed, is_simulated());
  request.beyond = check_.lab.sizes.beyond;
  // On a GPU the second look tries them, unless it cannot run the kernel file: who asks the driver
  // for its tensor maps keeps them.
  if (is_simulated() || asks_for_the_driver(prepared_.plugins.front().second.library))
    request.alike = sizes_alike(check_.lab, prepared_.seed);
  if (check_.quick) return request;
  request.huge = check_.lab.sizes.huge;
  if (is_simulated())
    for (Size& size : sizes_to_try_in_part(check_.lab, prepared_.seed))
      request.huge.push_back(std::move(size));
  return request;
}

bool PhaseRequests::has_room_for_runners() const {
  return prepared_.chosen.device.memory_free_bytes >= least_free_bytes;
}

Request PhaseRequests::timing() const {
  Request request =
      this->request(Phase::time, {VariantName::flawed, VariantName::mine, VariantName::optimized});
  request.speedup = check_.lab.pass().time.speedup;
  if (request.timing == TimingMode::wall && has_room_for_runners())
    request.processes = check_.lab.processes;
  return request;
}

Request PhaseRequests::counting(Phase phase) const {
  std::vector<VariantName> variants{VariantName::mine};
  if (check_.with_optimized)
    variants.insert(variants.end(), {VariantName::flawed, VariantName::optimized});
  Request request = this->request(phase, variants);
  request.metrics = wanted_metrics(check_.lab, phase, check_.with_optimized, is_simulated());
  request.full_checks = false;
  // A clock that counts is right however short the jobs are.
  if (phase == Phase::agreement && is_simulated())
    request.sizes.insert(request.sizes.end(), check_.lab.sizes.beyond.begin(),
                         check_.lab.sizes.beyond.end());
  if (cause_metrics(check_.lab).contains("kept_allocations"))
    request.between = check_.lab.sizes.checking.back();
  return request;
}

std::vector<Request> PhaseRequests::looking() const {
  Request request = this->request(Phase::verify, {VariantName::mine});
  request.sizes = looked_sizes(check_.lab);
  request.alike = sizes_alike(check_.lab, prepared_.seed);
  request.huge = check_.lab.sizes.huge;
  std::copy_if(check_.lab.sizes.beyond.begin(), check_.lab.sizes.beyond.end(),
               std::back_inserter(request.beyond),
               [](const Size& size) { return element_count(size) <= most_looked_elements; });
  request.stands_for = prepared_.chosen.device;
  std::vector<Request> requests{request};
  if (asks_for_the_device(prepared_.plugins.front().second.library))
    requests.push_back(
        on_small_device(request, check_.lab.sizes, few_multiprocessors(prepared_.seed)));
  return requests;
}

Request PhaseRequests::counting_on_simulator() const {
  Request counting = request(Phase::counters, {VariantName::mine});
  counting.sizes = {check_.lab.sizes.large(true)};
  counting.metrics.assign(simulated_operations.begin(), simulated_operations.end());
  counting.metrics.push_back("warp_instructions");
  counting.full_checks = false;
  counting.stands_for = prepared_.chosen.device;
  return counting;
}

std::optional<WorkToCount> PhaseRequests::work_on_simulator(const Evidence& counted) const {
  if (!counted.counted_least || counted.counted_least->flops() == 0) return std::nullopt;
  WorkToCount work{counting_on_simulator()};
  if (!has_operations(counted_work(*counted.counted_least, counted.counters))) {
    work.timed = check_.lab.sizes.timing;
    work.timed_flops = counted.counted_least->flops();
  }
  return work;
}

std::array<Phase, 2> PhaseRequests::order_of_counting() const {
  if (check_.lab.timing == TimingMode::wall && proves_cause(check_.lab, counting(Phase::trace)))
    return {Phase::trace, Phase::counters};
  return {Phase::counters, Phase::trace};
}

bool proves_cause(const Lab& lab, const Request& request) {
  const std::set<std::string> asked = cause_metrics(lab);
  return std::any_of(request.metrics.begin(), request.metrics.end(),
                     [&](const std::string& name) { return asked.contains(name); });
}

bool took_another_time(const CheckResult& result, const Evidence& evidence) {
  const auto counters = result.counters.find(VariantName::mine);
  const auto times = result.timing.variants.find(VariantName::mine);
  if (counters == result.counters.end() || times == result.timing.variants.end() ||
      !times->second.seconds || evidence.lab->timing != TimingMode::device)
    return false;
  const auto profiled = counters->second.find("profiled_duration");
  return profiled != counters->second.end() && profiled->second.value &&
         !same_duration(*profiled->second.value, times->second.seconds->median,
                        evidence.counted_shape);
}

bool may_need_trace(const Lab& lab, const std::filesystem::path& library) {
  return counts_sectors(lab) && moves_beside_kernels(library);
}

bool needs_trace(const CheckResult& result, const Evidence& evidence) {
  return misses_work(result, evidence) || took_another_time(result, evidence) ||
         may_move_beside_kernels(evidence);
}

}  // namespace klab
