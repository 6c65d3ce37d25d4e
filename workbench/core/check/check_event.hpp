// CheckEvent: what happens while a check or an investigation runs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/names.hpp"
#include "core/wire/protocol.hpp"

namespace klab {

/// What is done beside the runner's phases: `check` is all of them, which wait for the GPU.
enum class OwnPhase { build, check, second_look, sweep };
using CheckPhase = std::variant<Phase, OwnPhase>;

inline constexpr std::pair<OwnPhase, std::string_view> own_phase_names[] = {
    {OwnPhase::build, "build"},
    {OwnPhase::check, "check"},
    {OwnPhase::second_look, "second look"},
    {OwnPhase::sweep, "sweep"}};
inline std::string_view to_string(CheckPhase phase) {
  const auto* own = std::get_if<OwnPhase>(&phase);
  return own ? name_in(own_phase_names, *own) : to_string(std::get<Phase>(phase));
}
inline std::optional<CheckPhase> check_phase_from(std::string_view name) {
  if (const auto own = value_in(own_phase_names, name)) return *own;
  if (const auto phase = phase_from(name)) return *phase;
  return std::nullopt;
}

/// What happens while a check runs, in order, for progress lines and live plots.
struct CheckEvent {
  enum class Kind { phase_started, phase_ended, record, queued, building };
  Kind kind = Kind::phase_started;
  std::optional<CheckPhase> phase;  ///< absent: one that is not known here
  std::optional<Record> record;     ///< for Kind::record
  std::string text;                 ///< a sentence for a person
};
using OnCheckEvent = std::function<void(const CheckEvent&)>;

}  // namespace klab
