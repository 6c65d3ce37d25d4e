// CheckEvent: what happens while a check or an investigation runs.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/wire/protocol.hpp"

namespace klab {

/// What happens while a check runs, in order, for progress lines and live plots.
struct CheckEvent {
  enum class Kind { phase_started, phase_ended, record, queued, building };
  Kind kind = Kind::phase_started;
  std::string phase;             ///< "build", "verify", "time", "counters", "trace"
  std::optional<Record> record;  ///< for Kind::record
  std::string text;              ///< a sentence for a person
};
using OnCheckEvent = std::function<void(const CheckEvent&)>;

}  // namespace klab
