// What follows from a roofline's numbers.
#include "core/investigate/roofline_rules.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "core/base/find.hpp"
#include "core/measure/format.hpp"
#include "core/measure/measure_policy.hpp"

namespace klab {
namespace {

/// Traffic beyond the least that is worth a word.
constexpr double worth_naming_waste = 1.3;
/// Below it, a kernel's operations are a by-product, and its place left of the ridge says little.
constexpr double hardly_any_flops = 1e-3;

Roof fastest(const Ceilings& ceilings, std::string_view label, std::string_view unit,
             std::initializer_list<std::string_view> names) {
  Roof roof{.label = label, .unit = unit};
  for (const std::string_view name : names)
    if (const auto rate = ceilings.value(name); rate && *rate > roof.rate.value_or(0)) {
      roof.rate = rate;
      roof.ceiling = name;
    }
  return roof;
}

template <class Key>
std::optional<double> known(const std::map<Key, CounterValue>& values, Key key) {
  const CounterValue* found = find_in(values, key);
  return found ? found->value : std::nullopt;
}

std::optional<double> seconds_of(const RooflineKernel& kernel) {
  if (!kernel.seconds || !(kernel.seconds->median > 0)) return std::nullopt;
  return kernel.seconds->median;
}

std::string share_text(const RoofShare& share) {
  return format_percent(share.percent) + " of what " + std::string(share.roof.label) +
         " was measured to do";
}

/// A result above a roof is a contradiction, except where the roof is known not to be the highest.
bool is_impossible(const Roofline& roofline, const RoofShare& share) {
  if (share.arithmetic == Arithmetic::tensor && roofline.wgmma) return false;
  return share.percent > 100 * (1 + policy::physics_floor_slack);
}

std::string memory_meaning(MemoryLevel level) {
  switch (level) {
    case MemoryLevel::dram:
      return "Device memory limits it: bytes come as fast as this device can bring them. It gets "
             "faster only by moving fewer.";
    case MemoryLevel::l2:
      return "The L2 limits it: it answers as fast as it can. Read whole sectors, and keep what is "
             "used again in registers or shared memory.";
    default:
      return "L1 and shared memory limit it: each access costs a pass through them. Load wider, "
             "avoid bank conflicts and scattered addresses, and reuse values in registers.";
  }
}

std::string arithmetic_meaning(Arithmetic unit) {
  if (unit == Arithmetic::tensor)
    return "The tensor cores limit it: they are busy nearly all the time. Only fewer operations or "
           "a narrower type make it faster.";
  return "Arithmetic limits it: the " +
         std::string(unit == Arithmetic::fp32   ? "FP32"
                     : unit == Arithmetic::fp16 ? "FP16"
                                                : "FP64") +
         " units are busy nearly all the time. Only fewer operations, or units that do more at "
         "once, make it faster.";
}

/// `shares` are sorted, largest first, and not empty.
void conclude(const Roofline& roofline, const std::vector<RoofShare>& shares, Standing& result) {
  const auto wrong = std::find_if(shares.begin(), shares.end(), [&](const RoofShare& share) {
    return is_impossible(roofline, share);
  });
  const RoofShare& most = wrong == shares.end() ? shares.front() : *wrong;
  result.binding = most;
  if (wrong != shares.end()) {
    result.kind = Standing::Kind::impossible;
    result.meaning = "It shows " + share_text(most) +
                     ", which cannot be: one of the two measurements is wrong. Measure the "
                     "ceilings again with " +
                     Act{Verb::measure_device} +
                     " while nothing else uses the "
                     "GPU, then this.";
  } else if (most.percent >= policy::saturated_pct) {
    result.kind = most.level ? Standing::Kind::at_memory : Standing::Kind::at_arithmetic;
    result.meaning =
        most.level ? memory_meaning(*most.level) : arithmetic_meaning(*most.arithmetic);
  } else if (most.percent >= policy::busy_pct) {
    result.kind = Standing::Kind::between;
    result.meaning = "It comes near one roof without reaching it: " + share_text(most) +
                     ". What is missing is work under way at once: more loads in flight, more "
                     "warps, fewer waits.";
  } else {
    result.kind = Standing::Kind::far;
    result.meaning = "No roof limits it: at most " + share_text(most) +
                     ". It waits most of the time, for memory's answers, for other threads, or for "
                     "the host.";
  }
}

std::string position_text(const Roofline& roofline, const RooflineKernel& kernel) {
  const auto flops = total_flops(kernel);
  if (!flops) return {};
  if (*flops == 0) return "It does no floating-point operations: only bytes count.";
  const auto unit = main_arithmetic(roofline.ceilings, kernel);
  const auto here = intensity(kernel, MemoryLevel::dram);
  if (!unit || !here) return {};
  const auto meet = ridge(roofline.ceilings, MemoryLevel::dram, *unit);
  if (!meet) return {};
  const std::string number =
      *here < hardly_any_flops ? std::string("Hardly any") : format_number(here);
  const auto most = attainable(roofline.ceilings, MemoryLevel::dram, *unit, *here);
  if (*here < *meet)
    return number + " flop per byte of device memory, left of the ridge at " + format_number(meet) +
           ": with this traffic even a perfect kernel would do no more than " +
           format_flop_per_s(most) + ".";
  return number + " flop per byte of device memory, right of the ridge at " + format_number(meet) +
         ": arithmetic, not device memory, is the last limit.";
}

std::string waste_text(const Roofline& roofline, const RooflineKernel& kernel) {
  const auto moved = known(kernel.bytes, MemoryLevel::dram);
  const auto asked = known(kernel.bytes, MemoryLevel::requested);
  const auto bytes = moved ? moved : asked;
  if (!bytes || !roofline.least_bytes || !(*roofline.least_bytes > 0)) return {};
  const double times = *bytes / *roofline.least_bytes;
  if (times < worth_naming_waste) return {};
  return (moved ? "It moves " : "Its loads and stores touch ") + format_ratio(times) +
         " the bytes that the task needs; without that waste it "
         "would stand further right.";
}

}  // namespace

Roof memory_roof(const Ceilings& ceilings, MemoryLevel level) {
  switch (level) {
    case MemoryLevel::dram:
      return fastest(ceilings, "device memory", "byte/s", {"dram_copy", "dram_read", "dram_triad"});
    case MemoryLevel::l2:
      return fastest(ceilings, "the L2", "byte/s", {"l2_read"});
    case MemoryLevel::l1:
      return fastest(ceilings, "the L1", "byte/s", {"l1_read", "shared_memory"});
    case MemoryLevel::requested:
      break;
  }
  return {.label = "requested bytes", .unit = "byte/s"};
}

Roof arithmetic_roof(const Ceilings& ceilings, Arithmetic unit) {
  switch (unit) {
    case Arithmetic::fp32:
      return fastest(ceilings, "FP32", "flop/s", {"fp32_fma"});
    case Arithmetic::fp16:
      return fastest(ceilings, "FP16", "flop/s", {"fp16_fma"});
    case Arithmetic::fp64:
      return fastest(ceilings, "FP64", "flop/s", {"fp64_fma"});
    case Arithmetic::tensor:
      break;
  }
  return fastest(ceilings, "BF16 tensor", "flop/s", {"bf16_tensor", "bf16_wgmma"});
}

std::optional<double> total_flops(const RooflineKernel& kernel) {
  const auto fp32 = known(kernel.flops, Arithmetic::fp32);
  if (!fp32) return std::nullopt;
  double sum = *fp32;
  for (const Arithmetic unit : {Arithmetic::fp16, Arithmetic::fp64, Arithmetic::tensor})
    sum += known(kernel.flops, unit).value_or(0);
  return sum;
}

std::optional<double> intensity(const RooflineKernel& kernel, MemoryLevel level) {
  const auto flops = total_flops(kernel), bytes = known(kernel.bytes, level);
  if (!flops || !bytes || !(*bytes > 0)) return std::nullopt;
  return *flops / *bytes;
}

std::optional<double> flop_rate(const RooflineKernel& kernel) {
  const auto flops = total_flops(kernel), seconds = seconds_of(kernel);
  if (!flops || !seconds) return std::nullopt;
  return *flops / *seconds;
}

std::optional<Arithmetic> main_arithmetic(const Ceilings& ceilings, const RooflineKernel& kernel) {
  std::optional<Arithmetic> main;
  double longest_s = 0;
  for (const Arithmetic unit : all_arithmetic) {
    const double flops = known(kernel.flops, unit).value_or(0);
    if (!(flops > 0)) continue;
    const double seconds = flops / arithmetic_roof(ceilings, unit).rate.value_or(INFINITY);
    if (!main || seconds > longest_s) main = unit, longest_s = seconds;
  }
  return main;
}

std::optional<double> ridge(const Ceilings& ceilings, MemoryLevel level, Arithmetic unit) {
  const Roof memory = memory_roof(ceilings, level), arithmetic = arithmetic_roof(ceilings, unit);
  if (!memory.rate || !arithmetic.rate) return std::nullopt;
  return *arithmetic.rate / *memory.rate;
}

std::optional<double> attainable(const Ceilings& ceilings, MemoryLevel level, Arithmetic unit,
                                 double intensity) {
  const Roof memory = memory_roof(ceilings, level), arithmetic = arithmetic_roof(ceilings, unit);
  if (!memory.rate || !arithmetic.rate) return std::nullopt;
  return std::min(*arithmetic.rate, intensity * *memory.rate);
}

std::vector<RoofShare> roof_shares(const Ceilings& ceilings, const RooflineKernel& kernel) {
  std::vector<RoofShare> shares;
  const auto seconds = seconds_of(kernel);
  if (!seconds) return shares;
  for (const MemoryLevel level : all_memory_levels) {
    const Roof roof = memory_roof(ceilings, level);
    const auto bytes = known(kernel.bytes, level);
    if (roof.rate && bytes)
      shares.push_back({roof, level, std::nullopt, 100 * *bytes / *seconds / *roof.rate});
  }
  for (const Arithmetic unit : all_arithmetic) {
    const Roof roof = arithmetic_roof(ceilings, unit);
    const auto flops = known(kernel.flops, unit);
    if (roof.rate && flops && *flops > 0)
      shares.push_back({roof, std::nullopt, unit, 100 * *flops / *seconds / *roof.rate});
  }
  std::stable_sort(shares.begin(), shares.end(),
                   [](const auto& a, const auto& b) { return a.percent > b.percent; });
  return shares;
}

Standing standing(const Roofline& roofline, const RooflineKernel& kernel) {
  Standing result;
  const auto shares = roof_shares(roofline.ceilings, kernel);
  if (!shares.empty()) {
    conclude(roofline, shares, result);
  } else if (!seconds_of(kernel)) {
    result.meaning =
        "Without a time there is no rate: its intensity says where it would stand, not "
        "how high.";
  } else if (roofline.ceilings.values.empty()) {
    result.meaning = "No ceiling was measured on this device. " + unmeasured_remedy;
  } else {
    result.meaning = "Its traffic was not counted, so no roof can be compared.";
  }
  if (roofline.host_clock && result.binding)
    result.meaning += " Its time is the host's, launches and waits included.";
  result.position = position_text(roofline, kernel);
  result.waste = waste_text(roofline, kernel);
  return result;
}

}  // namespace klab
