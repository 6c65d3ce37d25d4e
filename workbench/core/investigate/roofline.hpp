// Roofline: each kernel's operations, traffic and time beside what this device was measured to do
// at best.
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "core/check/check.hpp"
#include "core/measure/ceilings.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab {

struct PreparedLab;

/// Where traffic is counted. `requested` is what the multiprocessors ask of the L1 by loads and
/// stores of global memory: the only traffic that the simulator can count.
enum class MemoryLevel { dram, l2, l1, requested };
inline constexpr std::array all_memory_levels = {MemoryLevel::dram, MemoryLevel::l2,
                                                 MemoryLevel::l1, MemoryLevel::requested};
std::string_view to_string(MemoryLevel level);
std::optional<MemoryLevel> memory_level_from(std::string_view name);

/// The units that do floating-point arithmetic.
enum class Arithmetic { fp32, fp16, fp64, tensor };
inline constexpr std::array all_arithmetic = {Arithmetic::fp32, Arithmetic::fp16, Arithmetic::fp64,
                                              Arithmetic::tensor};
std::string_view to_string(Arithmetic unit);
std::optional<Arithmetic> arithmetic_from(std::string_view name);

/// One variant, of one launch. What was not counted is absent with its reason.
struct RooflineKernel {
  VariantName variant;
  std::optional<Interval> seconds;  ///< median and interval, never taken under a profiler
  std::map<MemoryLevel, CounterValue> bytes;
  std::map<Arithmetic, CounterValue> flops;
};

/// What was measured and counted. What follows from it is computed by roofline_rules.hpp.
struct Roofline {
  Ceilings ceilings;   ///< nothing in it on the simulator
  bool wgmma = false;  ///< the device has faster tensor instructions than the measured ceiling's
  bool host_clock = false;  ///< times include the host's part (TimingMode::wall)
  std::vector<RooflineKernel> kernels;
  std::optional<double> least_bytes;  ///< what any correct kernel must move
  std::optional<double> least_flops;  ///< and compute
  std::vector<Advice> notes;          ///< sentences about how it was measured
};

/// Measures ceilings where they are missing, then times and counts all variants. On the simulator
/// only operations and requested bytes are counted. Errors: those of the phases, if nothing at all
/// was counted.
Result<Roofline> find_roofline(const PreparedLab& lab, const OnCheckEvent& on_event,
                               const std::atomic<bool>& canceled);

/// With what follows from it under "conclusions"; that part is not read back but computed anew.
nlohmann::json to_json(const Roofline& roofline);
Result<Roofline> roofline_from(const nlohmann::json& json);

}  // namespace klab
