// Roofline rules: intensity, ridge points, which ceiling binds a kernel, and what that means. Pure
// functions of what was measured (Williams, Waterman, Patterson, "Roofline", CACM 2009; several
// memory levels after Ilic, Pratas, Sousa, "Cache-aware Roofline model", 2014).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/investigate/roofline.hpp"

namespace klab {

/// One roof: a memory level (byte/s) or a unit of arithmetic (flop/s), as a person reads it.
struct Roof {
  std::string_view label;      ///< "L2"
  std::string_view unit;       ///< "byte/s" or "flop/s"
  std::optional<double> rate;  ///< absent if it was not measured on this device
  std::string_view ceiling;    ///< the name of the ceiling whose rate it is; empty if absent
};
/// The fastest ceiling measured for that level: device memory by copy, read or triad, the L1 by
/// global or shared reads. `requested` has none: caches stand between it and any ceiling.
Roof memory_roof(const Ceilings& ceilings, MemoryLevel level);
Roof arithmetic_roof(const Ceilings& ceilings, Arithmetic unit);

/// All floating-point operations of one launch; nullopt if those of FP32 were not counted.
std::optional<double> total_flops(const RooflineKernel& kernel);
/// Operations per byte at a level; 0 for a kernel without any. nullopt if either was not counted or
/// no bytes passed there.
std::optional<double> intensity(const RooflineKernel& kernel, MemoryLevel level);
/// Operations per second; nullopt without a time.
std::optional<double> flop_rate(const RooflineKernel& kernel);
/// The unit on which the kernel's operations take longest at the measured ceilings; FP32 where no
/// ceiling says more. nullopt for a kernel without operations.
std::optional<Arithmetic> main_arithmetic(const Ceilings& ceilings, const RooflineKernel& kernel);
/// The intensity in flop per byte at which the two roofs meet: left of it memory limits, right of
/// it arithmetic.
std::optional<double> ridge(const Ceilings& ceilings, MemoryLevel level, Arithmetic unit);
/// The most that `intensity` allows under both roofs, in flop/s.
std::optional<double> attainable(const Ceilings& ceilings, MemoryLevel level, Arithmetic unit,
                                 double intensity);

/// How much of one roof a kernel uses.
struct RoofShare {
  Roof roof;
  std::optional<MemoryLevel> level;      ///< for a memory roof
  std::optional<Arithmetic> arithmetic;  ///< for a roof of arithmetic
  double percent = 0;
};
/// Of every roof that was measured and that the kernel was timed and counted for, largest first.
/// Units of arithmetic without operations are left out.
std::vector<RoofShare> roof_shares(const Ceilings& ceilings, const RooflineKernel& kernel);

/// Where a kernel stands, in one word for shapes and colours and in sentences for a person.
struct Standing {
  enum class Kind {
    at_memory,      ///< a memory roof limits it
    at_arithmetic,  ///< a roof of arithmetic limits it
    between,        ///< near a roof, not at it
    far,            ///< no roof is near: it waits
    impossible,     ///< above a roof: one of the measurements is wrong
    unknown,        ///< no time, or no ceilings
  };
  Kind kind = Kind::unknown;
  std::optional<RoofShare> binding;  ///< the roof of which it uses most
  Advice meaning;                    ///< what it means to be there
  std::string position;              ///< where it is relative to the ridge; empty if not known
  std::string waste;                 ///< traffic beyond the least; empty if there is none
};
Standing standing(const Roofline& roofline, const RooflineKernel& kernel);

}  // namespace klab
