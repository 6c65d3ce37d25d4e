// Timeline: what the CPU asked for and what the GPU did, over time.
#pragma once

#include <atomic>
#include <nlohmann/json_fwd.hpp>

#include "core/check.hpp"

namespace klab {

struct PreparedLab;

struct Timeline {};

/// Errors: ErrorCode::unsupported until it can be found.
Result<Timeline> find_timeline(const PreparedLab& lab, const OnCheckEvent& on_event,
                               const std::atomic<bool>& canceled);

nlohmann::json to_json(const Timeline& timeline);
Result<Timeline> timeline_from(const nlohmann::json& json);

}  // namespace klab
