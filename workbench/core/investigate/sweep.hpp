// Sweep: time and counters over a range of one parameter, and where the faster kernel changes.
#pragma once

#include <atomic>
#include <nlohmann/json_fwd.hpp>

#include "core/check/check_event.hpp"
#include "core/investigate/sweep_points.hpp"

namespace klab {

struct PreparedLab;

/// Runs every point in processes of its own, so that one that fails costs only itself. On the
/// simulator points are counted, never timed. Errors: usage for an unknown parameter or impossible
/// values; what the phases said if no point gave anything.
Result<Sweep> find_sweep(const PreparedLab& lab, const SweepPlan& plan,
                         const OnCheckEvent& on_event, const std::atomic<bool>& canceled);

/// With what follows from it under "conclusions"; that part is not read back but computed anew.
nlohmann::json to_json(const Sweep& sweep);
Result<Sweep> sweep_from(const nlohmann::json& json);

}  // namespace klab
