// Sweep: time and counters over a range of one parameter.
#pragma once

#include <atomic>
#include <nlohmann/json_fwd.hpp>

#include "core/check.hpp"

namespace klab {

struct PreparedLab;

/// Which parameter is varied, over which values.
struct SweepPlan {};

struct Sweep {};

/// Errors: ErrorCode::unsupported until it can be found.
Result<Sweep> find_sweep(const PreparedLab& lab, const SweepPlan& plan,
                         const OnCheckEvent& on_event, const std::atomic<bool>& canceled);

nlohmann::json to_json(const Sweep& sweep);
Result<Sweep> sweep_from(const nlohmann::json& json);

}  // namespace klab
