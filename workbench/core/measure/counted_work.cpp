// Sums of counters, and the bounds of policy.
#include "core/measure/counted_work.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "core/measure/measure_policy.hpp"

namespace klab {
namespace {

std::optional<double> value_of(const Counters& counters, const char* name) {
  const auto found = counters.find(name);
  return found == counters.end() ? std::nullopt : found->second.value;
}

/// Of those that were counted.
double sum_of(const Counters& counters, std::initializer_list<const char*> names) {
  double sum = 0;
  for (const char* name : names) sum += value_of(counters, name).value_or(0);
  return sum;
}

}  // namespace

bool CountedWork::falls_short() const { return counted < least * (1 - policy::work_slack); }

std::vector<CountedWork> counted_work(const LeastWork& least, const Counters& counters) {
  std::vector<CountedWork> known;
  if (value_of(counters, "flop_fp32") && least.flops() > 0)
    known.push_back({"floating-point operations",
                     sum_of(counters, {"flop_fp32", "flop_fp64", "flop_fp16", "tensor_flop",
                                       "tensor_flop_fp16", "tensor_flop_bf16", "tensor_flop_tf32"}),
                     least.flops(), counters.at("flop_fp32").source});
  if (const auto sectors = value_of(counters, "sectors_of_minimum"); sectors && least.bytes() > 0)
    known.push_back({"bytes of memory",
                     *sectors * least.bytes() + 2 * sum_of(counters, {"device_to_device_bytes"}) +
                         sum_of(counters, {"host_to_device_bytes", "device_to_host_bytes"}),
                     least.bytes(), counters.at("sectors_of_minimum").source});
  return known;
}

bool same_duration(double counted_s, double timed_s) {
  const double longer = std::max(counted_s, timed_s), shorter = std::min(counted_s, timed_s);
  return longer <= policy::duration_factor * shorter + policy::duration_allowance_s;
}

}  // namespace klab
