// Clock doubt: reasons for which a ratio of times is not to be trusted.
#pragma once

#include <optional>
#include <string>

#include "core/verdict/check_result.hpp"
#include "core/wire/protocol.hpp"

namespace klab {

struct ClockDoubt {
  std::string detail;  ///< what was seen, with its bound
  std::string advice;
  /// How many times too large the ratio may be for that reason; absent if nobody can tell.
  std::optional<double> flattery{};
};

/// The flawed kernel ran slower beside the candidate than alone, or the candidate's turns took
/// longer than its times explain. nullopt if neither, or if variants were not timed apart.
std::optional<ClockDoubt> clock_doubt(const Timing& timing, const record::Timed& timed,
                                      TimingMode mode);

/// Times that scatter as those of a machine that is busy with something else.
bool is_scattered(const Interval& interval);

/// Whether the times tell of something besides the kernels: timed once more, they may tell more.
bool are_disturbed(const Timing& timing, const record::Timed& timed, TimingMode mode);

}  // namespace klab
