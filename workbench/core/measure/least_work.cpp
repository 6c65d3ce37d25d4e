// LeastWork: names of resources, sums, and the bounds of policy.
#include "core/measure/least_work.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "core/measure/measure_policy.hpp"

namespace klab {
namespace {

std::optional<double> value_of(const Counters& counters, const char* name) {
  const auto found = counters.find(name);
  return found == counters.end() ? std::nullopt : found->second.value;
}

/// Of those that were counted.
template <class Names>
double sum_of(const Counters& counters, const Names& names) {
  double sum = 0;
  for (const char* name : names) sum += value_of(counters, name).value_or(0);
  return sum;
}

constexpr std::array plain = {"flop_fp32", "flop_fp64", "flop_fp16"};
/// What steps in float may be done in; with half the bits they are other steps.
constexpr std::array of_float = {"flop_fp32", "flop_fp64"};
/// By type of input on a GPU, all together on the simulator.
constexpr std::array tensor_measured = {"tensor_flop_fp16", "tensor_flop_bf16", "tensor_flop_tf32"};
constexpr std::array tensor_simulated = {"tensor_flop"};

template <class Names>
bool has_all(const Counters& counters, const Names& names) {
  return std::all_of(names.begin(), names.end(),
                     [&](const char* name) { return value_of(counters, name).has_value(); });
}

/// The simulator's operations are a model of what ptxas makes; only a GPU measures.
bool is_simulated(const Counters& counters) {
  const auto found = counters.find("flop_fp32");
  return found != counters.end() && found->second.source != Source::measured;
}

}  // namespace

std::string_view to_string(Resource resource) {
  switch (resource) {
    case Resource::device_memory:
      return "device_memory";
    case Resource::to_device:
      return "to_device";
    case Resource::to_host:
      return "to_host";
    case Resource::peer:
      return "peer";
    case Resource::fp32:
      return "fp32";
    case Resource::fp16:
      return "fp16";
    case Resource::fp64:
      return "fp64";
    case Resource::tensor_half:
      return "tensor_half";
    case Resource::tensor_fp8:
      return "tensor_fp8";
    case Resource::atomics:
      return "atomics";
  }
  return "?";
}

std::optional<Resource> resource_from(std::string_view name) {
  const auto found = std::find_if(all_resources.begin(), all_resources.end(),
                                  [&](Resource one) { return to_string(one) == name; });
  return found == all_resources.end() ? std::nullopt : std::optional(*found);
}

bool is_arithmetic(Resource resource) {
  return resource >= Resource::fp32 && resource <= Resource::tensor_fp8;
}

double LeastWork::of(Resource resource) const {
  const auto found = amounts.find(resource);
  return found == amounts.end() ? 0 : found->second;
}

double LeastWork::flops() const {
  double sum = 0;
  for (const auto& [resource, amount] : amounts)
    if (is_arithmetic(resource)) sum += amount;
  return sum;
}

bool CountedWork::falls_short() const { return counted < least * (1 - policy::work_slack); }

bool sees_all_kernels(const Counters& counters) {
  return is_simulated(counters) || value_of(counters, "graph_launches").value_or(0) == 0;
}

bool tells_operations(const Counters& counters) {
  if (!has_all(counters, plain) || !sees_all_kernels(counters)) return false;
  if (is_simulated(counters)) return has_all(counters, tensor_simulated);
  // Whether these counters hold all that every kind of tensor instruction does is not settled.
  return has_all(counters, tensor_measured) && sum_of(counters, tensor_measured) == 0;
}

double bytes_beside_kernels(const Counters& counters) {
  constexpr double sector_bytes = 32;
  if (const auto sectors = value_of(counters, "sectors_beside_kernels"))
    return sector_bytes * *sectors;
  return 2 * value_of(counters, "device_to_device_bytes").value_or(0) +
         value_of(counters, "memset_bytes").value_or(0);
}

double bytes_across(const LeastWork& least, double to_device, double to_host) {
  const auto of_task = [&](Resource direction, double counted) {
    const double needed = least.of(direction);
    return needed > 0 ? std::min(counted, needed) : counted;
  };
  return std::max(of_task(Resource::to_device, to_device), of_task(Resource::to_host, to_host));
}

bool knows_bytes_beside_kernels(const Counters& counters) {
  return value_of(counters, "device_to_device_bytes") && value_of(counters, "memset_bytes");
}

std::vector<CountedWork> counted_work(const LeastWork& least, const Counters& counters) {
  std::vector<CountedWork> known;
  if (value_of(counters, "flop_fp32") && least.flops() > 0) {
    const bool halves = least.of(Resource::fp16) + least.of(Resource::tensor_half) > 0;
    const CountedWork work{std::string(operations_subject),
                           (halves ? sum_of(counters, plain) : sum_of(counters, of_float)) +
                               sum_of(counters, tensor_measured) +
                               sum_of(counters, tensor_simulated),
                           least.flops(), counters.at("flop_fp32").source};
    if (!work.falls_short() || tells_operations(counters)) known.push_back(work);
  }
  if (const auto sectors = value_of(counters, "sectors_of_minimum");
      sectors && least.bytes() > 0 && sees_all_kernels(counters)) {
    constexpr std::array across = {"host_to_device_bytes", "device_to_host_bytes"};
    // A task whose arrays lie on the device has nothing to send: what goes to the host is worked on
    // there.
    const bool sends = least.of(Resource::to_device) + least.of(Resource::to_host) > 0;
    known.push_back({"bytes of memory",
                     *sectors * least.bytes() + bytes_beside_kernels(counters) +
                         (sends ? sum_of(counters, across) : 0),
                     least.bytes(), counters.at("sectors_of_minimum").source});
  }
  return known;
}

bool has_operations(const std::vector<CountedWork>& counted) {
  return std::any_of(counted.begin(), counted.end(),
                     [](const CountedWork& work) { return work.what == operations_subject; });
}

bool same_duration(double counted_s, double timed_s, const LaunchShape& shape, bool allocates) {
  const double longer = std::max(counted_s, timed_s), shorter = std::min(counted_s, timed_s);
  if (shape.one_kernel && !allocates)
    return longer <= policy::one_kernel_factor * shorter + policy::one_kernel_allowance_s;
  const double allowance_s =
      allocates ? policy::allocation_allowance_s : policy::duration_allowance_s;
  const int gaps = std::clamp(shape.pieces - 1, 0, policy::most_gaps);
  const double gaps_s = counted_s > timed_s ? gaps * policy::gap_allowance_s : 0;
  return longer <= policy::duration_factor * shorter + allowance_s + gaps_s;
}

bool allocates(const Counters& counters) {
  constexpr std::array calls = {"allocation_calls", "pool_allocation_calls"};
  return sum_of(counters, calls) > 0;
}

}  // namespace klab
