// Roofline: achieved rates against the ceilings measured on this device.
#pragma once

#include <atomic>
#include <nlohmann/json_fwd.hpp>

#include "core/check.hpp"

namespace klab {

struct PreparedLab;

struct Roofline {};

/// Errors: ErrorCode::unsupported until it can be found.
Result<Roofline> find_roofline(const PreparedLab& lab, const OnCheckEvent& on_event,
                               const std::atomic<bool>& canceled);

nlohmann::json to_json(const Roofline& roofline);
Result<Roofline> roofline_from(const nlohmann::json& json);

}  // namespace klab
