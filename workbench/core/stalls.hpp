// StallReport: what warps wait for, by reason and by line.
#pragma once

#include <atomic>
#include <nlohmann/json_fwd.hpp>

#include "core/check.hpp"

namespace klab {

struct PreparedLab;

struct StallReport {};

/// Errors: ErrorCode::unsupported until it can be found.
Result<StallReport> find_stalls(const PreparedLab& lab, const OnCheckEvent& on_event,
                                const std::atomic<bool>& canceled);

nlohmann::json to_json(const StallReport& stalls);
Result<StallReport> stalls_from(const nlohmann::json& json);

}  // namespace klab
